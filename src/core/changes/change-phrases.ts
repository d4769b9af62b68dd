/** Phrases of several words by which a change is read, and words that lead in a statement. Folded, except those that lead in. */

export const phrases = {
  now: /\b(?:from now on|nur noch|turns? out|turned out|changed my mind|scratch that|second thoughts?|after all|no more|from (?:today|tomorrow)|gone up|gone down|from \w+ on|from next \w+|these days|at the moment|as of|no longer|any more|not anymore|up to|down to|ab sofort|ab jetzt|nicht mehr|a partir d[eu]|ya no|em vez|en vez|non piu|niet meer|ja nao|instead of|change of plans|took over)\b/,
  /** What was said before is taken back. */
  revision:
    /\b(?:second thoughts?|changed (?:my|our|his|her|their) mind|scratch that|turns? out|after all|correction|i was wrong|my mistake)\b/,
  /** What holds under a condition, and what might be, states nothing. */
  condition: /^(?:if|wenn|falls|si|se|als)\s/i,
  supposing:
    /\b(?:could|might|maybe|perhaps|vielleicht|könnte|würde|peut-être|quizás?|tal vez|forse|talvez|misschien)\b/iu,
  order:
    /\b(?:from (?:now on|today|tomorrow|next \w+ on)|ab sofort|ab jetzt|von jetzt an|desormais|dorenavant|a partir d[eu]|de ahora en adelante|d ora in poi|voortaan)\b/,
  /** What was so is said of the past. */
  former: /\b(?:ex|former|formerly|ehemal\w+|ancien\w*)\b/,
  end: /\b(?:no longer|any ?more|no more|laid off|let go|made redundant|split up|parted ways|passed away|(?:is|are|s|was) (?:over|finished|history)(?! \d)|(?:ist|sind|is) (?:vorbei|voorbij|afgelopen)|est fini\w*|se acabo|e finit[oa]|acabou|gave up|given up|broke up|got rid|picked (?:up )?(?:the|my|our|his|her)|paid .{0,20}back|(?:m|am|is|are|went) off (?:the|my|our)|(?:is|are) off(?! by| in| at| for| on)|(?:is|are) (?:gone|closed|dead|shut)|decided (?:against|not)|(?:flew|ran) away|moved out|nicht mehr|ne? (?:\S+ ){1,2}plus|ya no|non (?:\S+ ){1,2}piu|niet meer|geen \S+ meer|ja nao|nao \S+ mais)\b/,
}

/** Words that lead in a statement and say nothing of it. */
export const leadIn =
  /^(?:(?:i (?:noted|wrote down|remember|know|think|heard|see|understand)(?: that)?|(?:the|my) \p{L}+ (?:says?|said|thinks)(?: that)?|hi|hey|hello|ok|okay|so|well|oh|ah|ugh|yes|yeah|no(?!\s)|please|note|noted|fyi|btw|by the way|remember(?: that)?|heads up|small update|update|correction|(?:good|bad|sad|great) news|scratch that|(?:it )?turns? out(?: that)?|on second thoughts?|i changed my mind(?! about)|i (?:have to|must) (?:say|admit)(?: that)?|honestly|my mistake|for the records?|just so you know|also|and|but|then|actually|hallo|bonjour|hola|ciao|ola)[,:!.\s]+)+/iu
