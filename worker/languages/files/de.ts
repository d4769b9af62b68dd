/** German: stems by Snowball; its own lists of words. */
import { stemmer } from '@orama/stemmers/german'
import type { Language } from './language.ts'

export const language: Language = {
  tag: 'de',
  script: 'latin',
  stem: stemmer,
  // Past and third person (gekauft, sagte, arbeitet), women (Lehrerin), plurals in s (Autos), and datives (Schlüsseln).
  bases: [
    [/^ge(.{3,})(?:e?t|en)$/, '$1en'],
    [/(..[^aeiou]e?)te(?:n|st|t)?$/, '$1'],
    [/(..[a-z][^s]|.[aeiou]..|.[aeiou][bghm])t$/, '$1'],
    [/(er|eur|ist|ent|ant|or|og)in(?:nen)?$/, '$1'],
    [/(..[aiouy])s$/, '$1'],
    [/(..e[lr])n$/, '$1'],
  ],
  questionWords:
    'der die das den dem des ein eine einen einem einer eines wer wen wem wessen was wann wo woher wohin wie warum weshalb wieso wieviel wozu womit wodurch worin worauf welche welcher welches welchen welchem ist sind war waren sei wird werden wurde wurden worden hat haben hatte hatten habe und oder in im an am auf zu zum zur von vom für mit bei beim aus nach über um als es sie er ich du wir ihr man sich sein seine seiner seinen seinem ihre ihrer ihren ihrem dieser diese dieses diesen diesem dass',
  commonWords:
    'auch aber bis durch gegen ohne unter vor zwischen während wegen noch nur schon sehr so dann denn da hier dort kein keine keinen keiner nicht nichts mehr viel viele vielen wenn weil ob doch jedoch etwa alle allen alles jede jeder jedes jeden einige einigen andere anderen mich mir dich dir uns euch mein meine dein deine unser unsere kann können konnte konnten muss müssen soll sollte will wollen wollte darf dürfen mag möchte bin bist wäre würde würden gibt gab wurden je nun bereits sowie',
  joints: ['', 's', 'es', 'n', 'en', 'er', 'e'],
}
