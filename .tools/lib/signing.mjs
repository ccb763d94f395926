import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import { ToolError } from "./tool.mjs";

/**
 * The key that signs a release, with ECDSA over P-256 and SHA-256: every `openssl dgst` can verify that, even old ones and
 * macOS's own, and so can `cosign verify-blob`.
 *
 * @param pem the private key; `undefined` or "" for a release without a signature
 */
export function readSigningKey(pem) {
  if (pem === undefined || pem === "") return undefined;
  const key = parseKey(pem);
  if (key?.asymmetricKeyDetails?.namedCurve !== "prime256v1") {
    throw new ToolError(
      "CODELIA_SIGNING_KEY is no private key over P-256 in PEM; 'openssl ecparam -name prime256v1 -genkey -noout' makes one",
    );
  }
  return {
    publicKey: createPublicKey(key).export({ type: "spki", format: "pem" }).toString().trim(),
    /** The signature of some bytes, in base64. */
    sign: (bytes) => sign("sha256", bytes, key).toString("base64"),
  };
}

function parseKey(pem) {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}
