/** Italian: stems by Snowball; its own lists of words. */
import { stemmer } from '@orama/stemmers/italian'
import type { Language } from './language.ts'

export const language: Language = {
  tag: 'it',
  script: 'latin',
  stem: stemmer,
  // Plurals in i of words in e (chiavi).
  bases: [[/(...)i$/, '$1e']],
  questionWords:
    'il lo la i gli le l un uno una di del dello della dei degli delle d a al allo alla ai agli alle da dal dallo dalla dai dagli dalle in nel nello nella nei negli nelle con su sul sullo sulla sui per e ed o che chi cosa cos quale qual quali quando quand dove dov come perché quanto quanta quanti quante è sono era erano fu furono essere stato stata stati state ha hanno aveva si suo sua suoi sue',
  commonWords:
    'non più ma se senza sopra sotto tra fra fino durante prima dopo anche molto già così tutto tutti tutta tutte altro altra altri altre questo questa questi queste quello quella quelli quelle lui lei loro io tu noi voi mi ti ci vi ne mio mia tuo tua nostro nostra può possono deve devono né secondo',
}
