/** Forms of English words that no ending shows: `eat` and `ate`, `child` and `children`. Each line of the table has the forms of one letter's words. */
import { stem } from './stem.ts'
import type { Token } from './tokenise.ts'

/** The other forms of a word, as they are written; none for a regular word. `word`: folded. */
export function irregularFormsOf(word: string): readonly string[] {
  table ??= readGroups()
  return table.get(stem(word)) ?? []
}

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
const groups = `arise arose arisen,awake awoke awoken,axis axes,analysis analyses
bear bore borne,beat beaten,become became,begin began begun,bend bent,bind bound,bite bit bitten,bleed bled,blow blew blown,break broke broken,breed bred,bring brought,build built,burn burnt,buy bought
calf calves,catch caught,child children,choose chose chosen,cling clung,come came,creep crept,crisis crises,criterion criteria,curriculum curricula,cactus cacti
deal dealt,dig dug,diagnosis diagnoses,dive dove,draw drew drawn,dream dreamt,drink drank drunk,drive drove driven,dwell dwelt,die dice,datum data
eat ate eaten,elf elves,ellipsis ellipses
fall fell fallen,feed fed,feel felt,fight fought,find found,flee fled,fling flung,fly flew flown,foot feet,forbid forbade forbidden,forecast,foresee foresaw foreseen,forget forgot forgotten,forgive forgave forgiven,freeze froze frozen,fungus fungi,formula formulae
get got gotten,give gave given,go went gone,goose geese,grind ground,grow grew grown
half halves,hang hung,hear heard,hide hid hidden,hold held,hoof hooves,hypothesis hypotheses
index indices
keep kept,kneel knelt,knife knives,know knew known
lay laid,lead led,leaf leaves,lean leant,leap leapt,learn learnt,leave left,lend lent,lie lain,life lives,light lit,loaf loaves,lose lost,louse lice
make made,man men,matrix matrices,mean meant,medium media,meet met,mislead misled,mistake mistook mistaken,misunderstand misunderstood,mouse mice,mow mown
nucleus nuclei
oasis oases,ox oxen,overcome overcame,overhear overheard,oversee oversaw overseen,oversleep overslept,overtake overtook overtaken,overthrow overthrew overthrown
parenthesis parentheses,partake partook,pay paid,penny pence,person people,phenomenon phenomena,policeman policemen,prove proven
rebuild rebuilt,redo redid redone,repay repaid,rewrite rewrote rewritten,ride rode ridden,ring rang rung,rise rose risen,run ran
say said,saw sawn,scarf scarves,see saw seen,seek sought,self selves,sell sold,send sent,sew sewn,shake shook shaken,shear shorn,sheaf sheaves,shelf shelves,shine shone,shoot shot,show shown,shrink shrank shrunk,sing sang sung,sink sank sunk,sit sat,slay slew slain,sleep slept,slide slid,sling slung,smell smelt,sneak snuck,sow sown,speak spoke spoken,speed sped,spell spelt,spend spent,spill spilt,spin spun,spit spat,spoil spoilt,spring sprang sprung,stand stood,steal stole stolen,stick stuck,stimulus stimuli,sting stung,stink stank stunk,stride strode stridden,strike struck stricken,string strung,strive strove striven,swear swore sworn,sweep swept,swell swollen,swim swam swum,swing swung,synopsis synopses,syllabus syllabi
take took taken,teach taught,tear tore torn,tell told,thesis theses,thief thieves,think thought,throw threw thrown,tooth teeth,tread trod trodden
undergo underwent undergone,understand understood,undertake undertook undertaken,undo undid undone,uphold upheld,upset
vertex vertices,vertebra vertebrae
wake woke woken,wear wore worn,weave wove woven,weep wept,wife wives,win won,wind wound,withdraw withdrew withdrawn,withhold withheld,withstand withstood,wolf wolves,woman women,write wrote written
alumnus alumni,appendix appendices,bacterium bacteria,basis bases,beau beaux,bureau bureaux,businessman businessmen,fireman firemen,fisherman fishermen,grandchild grandchildren,housewife housewives,larva larvae,bookshelf bookshelves,midwife midwives,plateau plateaux,radius radii,salesman salesmen,spokesman spokesmen,schoolchild schoolchildren,tableau tableaux,memorandum memoranda,chairman chairmen,werewolf werewolves,wharf wharves,dwarf dwarves,automaton automata,genus genera,locus loci,alga algae,cherub cherubim,stepchild stepchildren,godchild godchildren,snowman snowmen,workman workmen,gentleman gentlemen,spokeswoman spokeswomen,frontman frontmen,mailman mailmen`
