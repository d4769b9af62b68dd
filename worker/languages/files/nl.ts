/** Dutch: stems by Snowball; its own lists of words. */
import { stemmer } from '@orama/stemmers/dutch'
import type { Language } from './language.ts'

export const language: Language = {
  tag: 'nl',
  script: 'latin',
  stem: stemmer,
  // Plurals that voice or double the last letter (huizen, brieven, mannen), plurals in eren (kinderen), and past or third person (loopt, werkte, gemaakt).
  bases: [
    [/(.)zen$/, '$1s'],
    [/(.)z(?:e|et|t)$/, '$1s'],
    [/(.)ve(?:n|t)?$/, '$1f'],
    [/(.)([bfgklmnprst])\2en$/, '$1$2'],
    [/(..)eren$/, '$1'],
    [/^ge(.{3,})[td]$/, '$1'],
    [/(..[^aeiou])[td]en?$/, '$1'],
    [/(...)t$/, '$1'],
    [/(.[aeiou])s$/, '$1'],
  ],
  questionWords:
    'de het een wie wat wanneer waar waarom hoe hoeveel welk welke waarin waarmee waardoor is zijn was waren wordt worden werd werden geworden heeft hebben had hadden en of in op aan te tot van voor met bij door uit naar over om als dat die dit deze er het hij zij ze ik je jij u we wij zich hun haar',
  commonWords:
    'niet geen ook maar nog wel al dan toch zo meer veel onder tussen tegen zonder na tijdens sinds omdat want toen daar hier alle alles elke ieder iedere andere ander mij me jou ons hem hen mijn jouw onze kan kunnen kon konden moet moeten mag zou zouden zal zullen wil willen ben bent zeer reeds',
  joints: ['', 's', 'en', 'e', 'n', 'er'],
}
