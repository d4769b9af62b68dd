/** Writes phrases of several words as the one word by which the rules read them: "takes place in" as "is in", "used to be" as "formerly is". */

export function inFewerWords(sentence: string): string {
  return phrases.reduce((text, [phrase, word]) => text.replace(phrase, word), sentence)
}

const phrases = [
  [/\b(?:takes?|took) place\b|\ba lieu\b|\btiene lugar\b|\b(?:si tiene|ha luogo)\b|\btem lugar\b/i, 'is'],
  [/\b(?:findet|vindt)\b(.*?)\s(?:statt|plaats)\b/i, 'is$1'],
  [/\bused to be\b/i, 'formerly is'],
  [/\bused to\b/i, 'formerly'],
  [/\bcalled off\b/i, 'cancelled'],
  [/\b(?:handed|gave|given) (?:in )?(?:\w+ )?notice\b/i, 'quit'],
  [/\b(?:(?:came|come|got) (?:back|home|out) (?:from|of)|(?:is|are|am) home from)\b/i, 'is back from'],
  [/\bbased out of\b/i, 'based in'],
] as const
