# Builds and measures. What it prints is told to the model when it fails.
limit=2000
if ! sh build.sh >build.log 2>&1; then
  echo "the build fails:"
  tail -n 20 build.log
  exit 1
fi
size=$(wc -c <out/app.js)
echo "out/app.js has $((size)) bytes; the limit is $limit"
test "$size" -le "$limit"
