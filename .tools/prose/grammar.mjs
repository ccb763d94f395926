import retextEnglish from "retext-english";
import retextIndefiniteArticle from "retext-indefinite-article";
import retextRedundantAcronyms from "retext-redundant-acronyms";
import retextRepeatedWords from "retext-repeated-words";
import { unified } from "unified";
import { VFile } from "vfile";

const processor = unified()
  .use(retextEnglish)
  .use(retextIndefiniteArticle)
  .use(retextRedundantAcronyms)
  .use(retextRepeatedWords)
  .freeze();

/** Wrong articles, repeated words and the like, each with its place in the text. */
export function grammarMistakes(prose) {
  const file = new VFile(prose);
  processor.runSync(processor.parse(file), file);
  return file.messages.map(({ place, reason }) => ({ index: place.start.offset, message: reason }));
}
