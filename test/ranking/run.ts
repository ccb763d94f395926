import { basename } from "node:path";
import { collectionIn, madeUpCollection } from "./collections.ts";
import { figuresOf, MADE_UP_TARGET, miniSearch, ourSearch, type Figures } from "./measure.ts";

// npm run ranking [-- DIRECTORY…]: how well `skills search` finds the skill that a sentence is about, beside MiniSearch, among
// made-up skills and those below the directories. Ends with 1 when a target is missed.

let isMet = true;
console.log(
  "collection                     skills  queries  search          MRR    R@1    R@5  first  target       verdict",
);
for (const directory of [undefined, ...process.argv.slice(2)]) {
  const wanted = directory === undefined ? madeUpCollection() : collectionIn(directory);
  const peer = figuresOf(wanted, miniSearch(wanted));
  const ours = figuresOf(wanted, ourSearch(wanted));
  const target = directory === undefined ? MADE_UP_TARGET : peer;
  const isGood =
    ours.mrr >= Math.max(target.mrr, peer.mrr) && ours.firstFive >= Math.max(target.firstFive, peer.firstFive);
  isMet &&= isGood;
  const name = directory === undefined ? "made up" : basename(directory);
  const row = (search: string, figures: Figures, rest: string) =>
    console.log(
      [name.padEnd(29), String(wanted.length).padStart(7), String(figures.queries).padStart(8), ` ${search.padEnd(11)}`]
        .concat(
          [figures.mrr, figures.first, figures.firstFive, figures.mrrOfFirst].map((figure) =>
            figure.toFixed(3).padStart(6),
          ),
        )
        .concat(rest)
        .join(" "),
    );
  row("MiniSearch", peer, "");
  row("codelia", ours, ` ${target.mrr.toFixed(3)} ${target.firstFive.toFixed(3)}  ${isGood ? "met" : "MISSED"}`);
}
console.log(
  "\n'first' is the MRR of each skill's first query alone. Targets are the least MRR and R@5; everywhere no worse than MiniSearch.",
);
process.exitCode = isMet ? 0 : 1;
