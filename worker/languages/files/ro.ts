/** Romanian: stems by Snowball; its own lists of words. */
import { stemmer } from '@orama/stemmers/romanian'
import type { Language } from './language.ts'

export const language: Language = {
  tag: 'ro',
  script: 'latin',
  stem: stemmer,
  // Plurals whose vowels change (copii, orașe, fete, flori), feminine adjectives (frumoasă), and past or third person (vorbit).
  bases: [
    [/(..)ii$/, '$1il'],
    [/(..[^aeiou])e$/, '$1'],
    [/(..[^aeiou])e$/, '$1a'],
    [/(..)ori$/, '$1oare'],
    [/(..)oas[ae]$/, '$1os'],
    [/(..)iri$/, '$1ire'],
    [/(..)ei$/, '$1eie'],
    [/(..[ai])t[aei]?$/, '$1'],
  ],
  questionWords:
    'un o unui unei niște cel cea cei cele al a ai ale cine cui ce care căruia cărei cărora când unde cum cât câtă câți câte de la în din pe cu pentru prin spre și sau este e sunt era erau fost fi fie a au avea se își său sa săi sale lui ei lor că să',
  commonWords:
    'nu mai dar ci dacă fără sub peste între până după înainte despre foarte tot toate toți toată alt altă alți alte acest această acești aceste acel acea acei acele acesta aceasta el ea ele eu tu noi voi mă te ne vă îmi îți meu mea nostru noastră are aveau poate pot trebuie nici astfel deci deja',
}
