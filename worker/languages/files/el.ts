/** Greek: stems by Snowball; its own lists of words. */
import { stemmer } from '@orama/stemmers/greek'
import type { Language } from './language.ts'

export const language: Language = {
  tag: 'el',
  script: 'greek',
  stem: stemmer,
  // Neuter words in ο and ι, whose plurals have other stems: βιβλία, παιδιά.
  bases: [
    [/(..ι)(?:α|ου|ων)$/, '$1ο'],
    [/(..ι)(?:α|ου|ων)$/, '$1'],
  ],
  questionWords:
    'ο η το οι τα του της των τον την τους τις ένας μια μία ένα ποιος ποια ποιο ποιοι ποιες ποιων ποιον ποια τι πότε πού πώς γιατί πόσο πόση πόσοι πόσες πόσα και ή σε στο στη στην στον στους στις στα από με για είναι ήταν που ότι να θα έχει έχουν είχε είχαν αυτό αυτός αυτή',
  commonWords:
    'δεν μη μην αλλά επίσης μόνο πολύ πιο όπως όταν αν ως προς κατά μετά πριν μεταξύ χωρίς υπό ανά όλα όλοι όλες κάθε άλλο άλλα άλλοι άλλη εγώ εσύ εμείς εσείς αυτοί αυτές μου σου μας σας τους μπορεί μπορούν πρέπει ήδη ακόμη ούτε όμως ενώ καθώς',
}
