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
  // What somebody has become, and where they live, work or study from then on.
  [
    /\b(?:became|turned into|was promoted to|got promoted to|was (?:made|appointed|elected)|has been (?:made|appointed|elected))\b/i,
    'is',
  ],
  [/\b(?:got|found|took|landed) an? (?:new )?job (?=as|at|with|in)/i, 'works '],
  [/\b(?:was|got|has been) (?:hired|taken on)( \S+)? (?:by|at) /i, 'works at '],
  [/\b(?:started|began|signed on|signed up) (?:work(?:ing)? )?(?=at \p{Lu}|as an? )/iu, 'works '],
  [/\b(?:enrolled|signed up|matriculated) (?:in|for|at) /i, 'studies '],
  [/\b(?:has|have|'ve|'s)? ?(?:settled(?: down)?|resettled) in /i, ' moved to '],
  [/\btook over as\b/i, 'is'],
  [/\b(?:was|has been|got) (?:bought|acquired|taken over) by\b/i, 'belongs to'],
  [/\b(?:fällt|fallen|fiel|fielen) aus\b|\bgaat niet door\b/i, 'ist abgesagt'],
  [/\b(?:on |nous )?(?:a|ont|avons) (?:rebaptisé|renommé) ((?:le|la|notre|mon|ma) \S+) /i, "$1 s'appelle maintenant "],
  [/^(?:let us|let['’]s) (?=meet)/i, 'we '],
  [
    /\b(?:(?:was|were|got|is|has been|we|they|i) )?(?:renamed|rebranded)(?: (?:to|as|it))? (?=\p{Lu}\S* ?\p{Lu}?\S*[.!]?$)/u,
    'is called ',
  ],
] as const
