class Codelia < Formula
  desc "@DESCRIPTION@"
  homepage "@HOMEPAGE@"
  version "@VERSION@"
  license "@LICENSE@"

  on_macos do
    on_arm do
      url "@URL@/codelia-@VERSION@-darwin-arm64.tar.gz"
      sha256 "@SHA256 darwin-arm64@"
    end
    on_intel do
      url "@URL@/codelia-@VERSION@-darwin-x64.tar.gz"
      sha256 "@SHA256 darwin-x64@"
    end
  end

  on_linux do
    on_arm do
      url "@URL@/codelia-@VERSION@-linux-arm64.tar.gz"
      sha256 "@SHA256 linux-arm64@"
    end
    on_intel do
      url "@URL@/codelia-@VERSION@-linux-x64.tar.gz"
      sha256 "@SHA256 linux-x64@"
    end
  end

  def install
    bin.install "codelia"
    man1.install Dir["man/*.1"]
  end

  test do
    assert_equal version.to_s, shell_output("#{bin}/codelia --version").strip
  end
end
