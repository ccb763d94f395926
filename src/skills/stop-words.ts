/**
 * Words that carry grammar and no topic, in the languages of most queries. Words that also name something in software
 * are not included: `dos`, `nas`, `dal`, `man`.
 */
const LISTS = [
  // English
  "a about after again all also always am an and any anybody anyone anything are as at be been before being both but by can could did do does doing during each ever every everybody everyone everything few for from further get had has have having he her here him his how i if in into is it its just let like made make many may me might more most much must my need never no nobody not nothing of often on one only or other our out over own please same shall she should since so some somebody someone something still such than that the their them then there these they this those through to too under until up upon us use used using very via want wants was we well were what when where which while who whom whose why will with within without would yet you your yours aren couldn didn doesn don hadn hasn haven isn shouldn wasn weren won wouldn",
  // German
  "aber als am auch auf aus bei bin bis das dass dem den der des die doch du durch ein eine einem einen einer eines er es für habe haben hat ich ihr im ist kann kein keine können mein meine mich mir mit nach nicht noch nur oder ohne sein seine sich sie sind soll über um und uns unser von vor war warum was wenn wer werden wie will wir wird wo zu zum zur",
  // French
  "au aux avec ce ces cette comment dans de des du elle elles en est et eux faire il ils je la le les leur leurs lui mais mes moi mon ne nos notre nous on ou où par pas peut pour qu que quel quelle qui sa sans se ses si son sont sur ta te tes toi ton tu un une vos votre vous à été être",
  // Spanish
  "al como con cómo cuando de del desde donde el ella ellos en entre era es esta este esto están está hacer hay la las le les lo los mi mis muy más ni nos o para pero por porque puede que qué quiero se ser si sin sobre son su sus también tu un una unas uno unos y ya yo",
  // Portuguese
  "ao aos as até com como da das de do e ela ele eles em entre era essa esse esta este eu fazer foi isso isto já mais mas me meu minha muito na não nem no nos num numa o os ou para pela pelo por posso quando que quem quero se sem ser seu sua são também tem um uma você à às é",
  // Italian
  "ai al alla alle anche che chi ci come con cosa cui da dalla dei del della delle dello di dove e fare gli ha ho i il in io la le lo ma mi mio ne nel nella nelle non o per perché più posso quando quello questa questo se si sono su sua suo sul sulla tra un una uno voglio è",
  // Dutch
  "aan al als bij dat de den der deze die dit door een en er ge geen haar heb hebben heeft het hij hoe ik in is je kan maar me met mij mijn moet na naar niet nog of om onder ook op over te toen tot uit van voor waar waarom was wat we wel wie wij wil worden wordt ze zich zij zijn zo zonder",
  // Russian
  "а без бы в во вы да для до его ее если есть же за и из или их к как какой когда кто ли меня мне мы на надо нам не но нужно о об он она они от по при с со так также то ты у уже чего что чтобы эта эти это этот я",
];

/** Searched unsorted: a query has few words, and building a set of all these would take longer. */
const ALL = ` ${LISTS.join(" ")} `;

/** @param word folded */
export function isStopWord(word: string): boolean {
  return ALL.includes(` ${word} `);
}
