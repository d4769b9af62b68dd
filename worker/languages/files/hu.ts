/** Hungarian: stems by Snowball; its own lists of words. */
import { stemmer } from '@orama/stemmers/hungarian'
import type { Language } from './language.ts'

export const language: Language = {
  tag: 'hu',
  script: 'latin',
  stem: stemmer,
  // Endings whose accents are folded (házból, háznál), plurals and objects after a vowel (macskák, almát).
  bases: [
    [/(...)(?:b[oe]l|r[oe]l|t[oe]l|n[ae]l|h[oe]z)$/, '$1'],
    [/(...[aeo])[kt]$/, '$1'],
    [/(...)[aeo]k$/, '$1'],
  ],
  questionWords:
    'a az egy ki kik kit kinek mi mit mik mikor hol hova honnan hogyan miért mennyi hány hányan melyik milyen mekkora van vannak volt voltak lesz lett és vagy hogy ez azt ezt is',
  commonWords:
    'nem ne de csak már még nagyon több sok mint ha akkor ott itt alatt között nélkül után előtt szerint által minden más mások én te ő mi ti ők engem téged őt minket nekem neked neki lehet kell tud fog pedig mert így úgy sem',
  joints: [''],
}
