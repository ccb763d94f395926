# A model that is a program: the prompt on standard input, the answer on standard output. In $MODEL_DIR/say stand its answers:
# NNN.holds is what a prompt must hold for it, NNN.answer, NNN.exit or NNN.hang what is done then; each is given once, the first
# that fits first. One that hangs ends with the test's files. Every prompt is kept in $MODEL_DIR/asked.
prompt=$(cat; echo .)
prompt=${prompt%.}
set -- "$MODEL_DIR"/asked/*
[ -e "$1" ] || set --
printf %s "$prompt" > "$MODEL_DIR/asked/$((1000 + $#))"
for holds in "$MODEL_DIR"/say/*.holds; do
  [ -e "$holds" ] || continue
  read -r wanted < "$holds"
  case $prompt in
    *"$wanted"*) ;;
    *) continue ;;
  esac
  entry=${holds%.holds}
  rm "$holds"
  while [ -e "$entry.hang" ]; do sleep 0.05; done
  if [ -e "$entry.exit" ]; then
    read -r code < "$entry.exit"
    exit "$code"
  fi
  exec cat "$entry.answer"
done
echo "nothing is to be said to: $prompt" >&2
exit 9
