/** Writes phrases of several words as the one word by which the rules read them: "takes place in" as "is in", "used to be" as "formerly is". */

export function inFewerWords(sentence: string): string {
  return phrases.reduce((text, [phrase, word]) => text.replace(phrase, word), sentence)
}

const phrases = [
  [/\bcan['’]t\b/gi, 'can not'],
  [/\bwon['’]t\b/gi, 'will not'],
  [/\b(ha[sd]|have|is|are|was|were|do|does|did)n['’]t\b/gi, '$1 not'],
  [/\b(?:pas(?:ad|s?am)os?|passati|passés?|migrado|migrati) d[ae] (\S+) (?:a|à|para) /i, 'switched from $1 to '],
  [/\b(?:takes?|took) place\b|\ba lieu\b|\btiene lugar\b|\b(?:si tiene|ha luogo)\b|\btem lugar\b/i, 'is'],
  [/\b(?:findet|vindt)\b(.*?)\s(?:statt|plaats)\b/i, 'is$1'],
  [/\bused to be\b/i, 'formerly is'],
  [/\bused to\b/i, 'formerly'],
  [/\bcalled off\b/i, 'cancelled'],
  [/\b(?:handed|gave|given) (?:in )?(?:\w+ )?notice\b/i, 'quit'],
  [/\b(?:(?:came|come|got) (?:back|home|out) (?:from|of)|(?:is|are|am) home from)\b/i, 'is back from'],
  // An order to change a value.
  [/^(?:set|raise|lower|increase|decrease|reduce|extend|shorten|bump|postpone|push|shift|move) /i, 'raised '],
  [/\best passée? (?=à)/i, 'est désormais '],
  [/\b(?:troc|cambi)\S+ (?:[oa]s? |el |la |il )?(\S+) (?:pel[oa]|por|per|con) /i, 'switched from $1 to '],
  [
    /(?:\b(?:have|am|are|went|got) |['’](?:m|ve|re) )?\b(?:gone off|went off|fed up with|had enough of|tired of|sick of)\b/i,
    ' no longer like',
  ],
  [/\bbased out of\b/i, 'based in'],
] as const
