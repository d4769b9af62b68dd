/** Dutch: stems by Snowball; its own lists of words. */
import { stemmer } from '@orama/stemmers/dutch'
import type { Language } from './language.ts'

export const language: Language = {
  tag: 'nl',
  script: 'latin',
  stem: stemmer,
  questionWords:
    'de het een wie wat wanneer waar waarom hoe hoeveel welk welke waarin waarmee waardoor is zijn was waren wordt worden werd werden geworden heeft hebben had hadden en of in op aan te tot van voor met bij door uit naar over om als dat die dit deze er het hij zij ze ik je jij u we wij zich hun haar',
  commonWords:
    'niet geen ook maar nog wel al dan toch zo meer veel onder tussen tegen zonder na tijdens sinds omdat want toen daar hier alle alles elke ieder iedere andere ander mij me jou ons hem hen mijn jouw onze kan kunnen kon konden moet moeten mag zou zouden zal zullen wil willen ben bent zeer reeds',
  joints: ['', 's', 'en', 'e', 'n', 'er'],
}
