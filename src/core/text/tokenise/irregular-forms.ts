/** Forms of English words that no ending shows: `eat` and `ate`, `child` and `children`. Each line of the table has the forms of one letter's words. */
import { stem } from './stem.ts'
import type { Token } from './tokenise.ts'

/** The other forms of a word, as they are written; none for a regular word. `word`: folded. */
export function irregularFormsOf(word: string): readonly string[] {
  table ??= readGroups()
  const own = table.get(stem(word))
  if (own !== undefined) return own
  for (const pattern of composed) {
    const [, head, tail] = pattern.exec(word) ?? []
    const others = tail === undefined ? [] : irregularFormsOf(tail)
    if (others.length > 0) return others.map((form) => head + form)
  }
  const [, consonants, ending] = /^([^aeiouy\d]+)(y|ie[sd])$/.exec(word) ?? []
  if (consonants !== undefined) return [consonants + (ending === 'y' ? 'ies' : 'y')]
  return word.length < leastLetters ? [] : latin.flatMap(([end, by]) => (end.test(word) ? [word.replace(end, by)] : []))
}

/** Plurals that the stemmer takes for another word: viruses. Plurals of Latin, Greek and French: crises, cacti, data, larvae, plateaux. Most of these are words of no text, and so find nothing. */
const latin: readonly (readonly [RegExp, string])[] = [
  [/(?<=[sx])is$/, 'es'],
  [/(?<=[sx])es$/, 'is'],
  [/us$/, 'i'],
  [/(?<=..us)$/, 'es'],
  [/(?<=..us)es$/, ''],
  [/i$/, 'us'],
  [/um$/, 'a'],
  [/a$/, 'um'],
  [/a$/, 'ae'],
  [/ae$/, 'a'],
  [/eau$/, 'eaux'],
  [/eaux$/, 'eau'],
]
const leastLetters = 4

/** Words with a syllable before them (rewrote, overtaken), and compounds (postmen, bookshelves). */
const composed: readonly RegExp[] = [
  /^(re|over|under|un|up|with|mis|fore?|out|par)(.{2,12})$/,
  /^(.{2,20})(m[ae]n|child(?:ren)?|shel(?:f|ves)|wi(?:fe|ves)|wol(?:f|ves)|t(?:oo|ee)th|f(?:oo|ee)t|mouse|mice)$/,
]

let table: ReadonlyMap<string, readonly string[]> | undefined

function readGroups(): ReadonlyMap<string, readonly string[]> {
  const others = new Map<string, string[]>()
  for (const group of groups.split(/[,\n]/)) {
    const forms = group.trim().split(' ')
    for (const own of forms) {
      const known = others.get(stem(own)) ?? []
      for (const form of forms) if (stem(form) !== stem(own) && !known.includes(form)) known.push(form)
      others.set(stem(own), known)
    }
  }
  return others
}

/** The word of the index for a form that the stemmer takes for another word: `ate` for at. Other words stay as they are. */
export function exactForm(word: string): string {
  return word === 'ate' ? `${word}\ue000` : word
}

/** The places of such forms in a text. */
export function exactForms(text: string): Token[] {
  return Array.from(text.matchAll(/\bate\b/gi), ({ index }) => ({ word: exactForm('ate'), from: index, to: index + 3 }))
}

/** Words of which every form is a question word or a common word are left out. */
const groups = `arise arose arisen,awake awoke awoken
bear bore borne,beat beaten,become became,begin began begun,bend bent,bind bound,bite bit bitten,bleed bled,blow blew blown,break broke broken,breed bred,bring brought,build built,burn burnt,bus buses,buy bought
calf calves,catch caught,child children,choose chose chosen,cling clung,come came,creep crept,criterion criteria
deal dealt,dig dug,dive dove,draw drew drawn,dream dreamt,drink drank drunk,drive drove driven,dwell dwelt,die dies dying,die dice
eat ate eaten,elf elves
fall fell fallen,feed fed,feel felt,fight fought,find found,flee fled,fling flung,fly flies flew flown,foot feet,forbid forbade forbidden,freeze froze frozen
gas gases,get got gotten,give gave given,go goes went gone,goose geese,grind ground,grow grew grown
half halves,hang hung,hear heard,hide hid hidden,hold held,hoof hooves
index indices
keep kept,kneel knelt,knife knives,know knew known
lay laid,lead led,leaf leaves,lean leant,leap leapt,learn learnt,leave left,lend lent,lens lenses,lie lies lying lain,life lives,light lit,loaf loaves,lose lost,louse lice
make made,man men,matrix matrices,mean meant,meet met,mouse mice,mow mown
ox oxen
pay paid,pie pies,penny pence,person people,phenomenon phenomena,prove proven
redo redid redone,ride rode ridden,ring rang rung,rise rose risen,run ran
say said,saw sawn,scarf scarves,see saw seen,seek sought,self selves,sell sold,send sent,sew sewn,shake shook shaken,shear shorn,sheaf sheaves,shelf shelves,shine shone,shoot shot,show shown,shrink shrank shrunk,sing sang sung,sink sank sunk,sit sat,slay slew slain,sleep slept,slide slid,sling slung,smell smelt,sneak snuck,sow sown,speak spoke spoken,speed sped,spell spelt,spend spent,spill spilt,spin spun,spit spat,spoil spoilt,spring sprang sprung,stand stood,steal stole stolen,stick stuck,sting stung,stink stank stunk,stride strode stridden,strike struck stricken,string strung,strive strove striven,swear swore sworn,sweep swept,swell swollen,swim swam swum,swing swung
take took taken,teach taught,tear tore torn,tell told,thief thieves,think thought,throw threw thrown,tooth teeth,tread trod trodden
undo undid undone
vertex vertices
wake woke woken,wear wore worn,weave wove woven,weep wept,wife wives,win won,wind wound,wolf wolves,woman women,write wrote written
appendix appendices,wharf wharves,dwarf dwarves,automaton automata,genus genera,cherub cherubim`
