/** The measured prices of parts of a text in cl100k, in hundredths of a token. */

/**
 * Row: a letter, column: the next letter. The tenths of a token that the pair adds to a word of a to z: 0 if both are nearly
 * always in one token, 9 if a new token begins. Fitted to English prose, code and random letters.
 */
export const seamRows: readonly string[] = [
  '91109419263020929010434407', // a
  '06650666135156177224257716', // b
  '18270770171278066240277715', // c
  '26640747167467177327346626', // d
  '27102336576120544002834047', // e
  '28872078088378176364368639', // f
  '47882841389763498245367647', // g
  '27770777187556186562567827', // h
  '33221209986120037210729572', // i
  '59792696757667476757499989', // j
  '58961866367763678837656958', // k
  '29740699196278089933259908', // l
  '13980869277528216837478759', // m
  '29111406264454368810437646', // n
  '54426339584120249042040438', // o
  '17860771366057006020278627', // p
  '99999996999399964888078699', // q
  '16310437182533066322336817', // r
  '49281491185457333500186907', // s
  '29591880097459278212285808', // t
  '33332629296001739010978756', // u
  '28990779178878299888869859', // v
  '17770774275563179557885648', // w
  '67665797499779849974969647', // x
  '89996999699966659947998988', // y
  '59762797595579799987788633', // z
]

/** Latin words with an accent, by length in letters; each further letter adds 30. */
export const accentedPrices: readonly number[] = [
  25, 125, 126, 130, 153, 185, 210, 250, 280, 310, 330, 360, 385, 405, 475,
]

/** How often a repeated letter or sign fits into one token. Letters without a group: 2. */
export const repeats: readonly (readonly [count: number, characters: string])[] = [
  [2, `"&'[]\`{}`],
  [4, 'bcdeyBCELMY$()?@\\^|'],
  [8, 'afoxAFX!,:<>\u00a0'],
  [16, ';\t'],
  [30, '~+\n'],
  [60, '#%*-./=_'],
  [125, ' '],
]

/** Words that are one token in many texts, although their pairs of letters suggest more. */
export const oneTokenWords: ReadonlySet<string> = new Set(
  (
    'absolute address after against algorithm already also always analysis answer answers anything application ' +
    'appropriate args ascii associated async attribute attributes august available avoid await background ' +
    'backup because behavior between bg block bottom browser btn budget buffer build button bytes calc ' +
    'calculate callback cannot category cfg close closed cm cmd column columns community configuration ' +
    'constructor conversation copyright coverage cpu csv ctx currently cursor database debug default defaults ' +
    'deprecated description desktop details developer development directories directory disabled display ' +
    'distribution dns docs document does doesn download draft dynamic endpoint environment evaluate everything ' +
    'example examples except exception exclude excluding execute export extends external fallback false family ' +
    'fc feedback fetch fields float focus github global going good google gpu handle height help hidden ' +
    'horizontal hostname html http https idx image img important include includes including individual ' +
    'information input interface invalid javascript job john join jpg json jsx keep key keyboard keys keyword ' +
    'keywords knowledge known kwargs language layer left like localhost looks major margin markup maximum ' +
    'message messages methods mkdir module msg multiple negative network new not note november npm number ' +
    'numbers obj object objects offset organization otherwise output overflow package parameters particularly ' +
    'password pdf people performance pkg placeholder platform png possible prefix problems program project ' +
    'projects properties property prototype provide public purpose px python radius readonly reference regular ' +
    'remove replace require required requirements resolve resolved return returns review rgb rgba running said ' +
    'same save script search self service settings shift should sidebar significant similar single skip slice ' +
    'small snapshot soft software solid someone something source special specific specified sql src srv std ' +
    'strategy structure style submit subscribe successful successfully surface svg switch symbol syntax system ' +
    'target task tasks tcp temperature terminal thanks their thread threshold through tmp toggle tokens tools ' +
    'top topic transfer transform true trying tsx two txt udp unique unknown update updated url usage username ' +
    'usr utf uuid value variable video vue warnings web website week weight what which whose why width world ' +
    'wrap write written www xml year years yellow yield you your youtube zip'
  ).split(' '),
)

/** The price of a single sign before a word, in addition to the word; other signs 85. */
export const joiningPrices: readonly (readonly [price: number, signs: string])[] = [
  [0, '(._'],
  [30, '/,-%'],
  [50, ':;[=$<'],
]

/** Prices of characters from this code point to that of the next row, beyond ASCII and scripts with their own rules. */
export const characterPrices: readonly (readonly [from: number, price: number])[] = [
  [0x80, 150],
  [0x250, 197],
  [0x370, 107],
  [0x400, 43],
  [0x454, 93],
  [0x455, 43],
  [0x456, 93],
  [0x458, 43],
  [0x530, 205],
  [0x590, 119],
  [0x600, 80],
  [0x700, 200],
  [0x800, 300],
  [0x900, 128],
  [0x980, 143],
  [0xa00, 200],
  [0xb00, 295],
  [0xb80, 163],
  [0xc00, 205],
  [0xe00, 96],
  [0xe80, 220],
  [0xf00, 250],
  [0x1000, 205],
  [0x1040, 290],
  [0x10a0, 205],
  [0x1100, 295],
  [0x1780, 176],
  [0x1800, 295],
  [0x1e80, 190],
  [0x1f00, 295],
  [0x2000, 195],
  [0x20c0, 295],
  [0x2100, 198],
  [0x21c0, 295],
  [0x2200, 198],
  [0x2280, 295],
  [0x2500, 195],
  [0x2680, 295],
  [0x2700, 198],
  [0x2800, 295],
  [0x3000, 198],
  [0x3100, 295],
  [0x4e00, 225],
  [0xa000, 295],
  [0xac00, 190],
  [0xd7b0, 295],
  [0xfe00, 200],
  [0xfe40, 295],
  [0xff00, 200],
  [0x10000, 395],
  [0x1d000, 298],
  [0x1e100, 395],
  [0x1f000, 298],
  [0x1f480, 200],
  [0x1f4c0, 298],
  [0x1f600, 200],
  [0x1f640, 298],
  [0x20000, 350],
]

/** Signs beyond ASCII that are one token. */
export const oneTokenSigns: ReadonlySet<string> = new Set(
  '¡¢£¤¥¦§¨©«¬®¯°±´¶·»¿×‐‑–—―‘’‚“”„†•…‰′″›※€™←↑→↓−─━│═║╗╝█░■►●★☆☴♀♥♪✔　、。《》「」『』【】〜・！（），－．／：；＞？＾～･￥\u200b\u200c\u200e\u200f\ufe0f\ufeff\ufffd',
)

export const oneTokenKana: ReadonlySet<string> = new Set(
  'あいうえおかがきくけこごさざしじすせそただちっつてでとどなにのはばまみめもやよらりるれろわをんアィイウェエオカキ' +
    'クグコサシジスズセタダチッテデトドナニバパビピフブプペポマムメャュョラリルレロンー',
)

export const oneTokenSyllables: ReadonlySet<string> = new Set(
  '가간값개거게결경고공과구그글기나내는능니다당대도동되된드든들디라래러력로록료류른를름리만메면명목문미버번보복부분' +
    '비사산상색생서성세션소수스습시식신아야어에여열오와요용우운원위으은을음의이인일임입자작장재적전정제져조주지진째체' +
    '출치크태터턴트튼하한할함해호화환회',
)

export const oneTokenIdeographs: ReadonlySet<string> = new Set(
  '一万三上下不与专业东两个中串为主么义之也书了事二于五些交产享京人亿今介从他付代以们件价任份企优会传但位体何余作你' +
    '使例供価保信修倍值停像元先入全公共关其具内円册再写出击分列则初利别到制前力功加务动動包化北区十午华单南即历原去县' +
    '参及友反发取变口只可台右号司合同名后向否含听启告员周命和品哈商問器四回因国图土在地场址型城基報場填增声处备复外多' +
    '大天失头女好如始子字存学安宋完定实审客家容密对导将小少尔就局展山岁州工左已市布常平年并广序库应店度建开异式引张当' +
    '录形影径待後得微心必志态思性总息您情意感成我或户所手打找技投报拉持指按换据排接推提播支收改放政效数整文料断新方族' +
    '无日时明易星是時景更最月有服期木未本机权束条来板构析果查标样核格案检模次款止正此步歳段每比民気水求江汽没治法注活' +
    '流海消清游源火点無然片版物特率环现球理生用由电男画界番登的监目直相省看県真知码确示社票私种科秒称移程稍税稿空立站' +
    '章端笑符第等签简算管箱米类系素索约级线组经结给络统编网置美老考者而联能自至色节英藏行表装西要見见规视角解言計記話' +
    '読计认议记论设证评试话询该详语误说请读调象责败账货购费资起超路身车转软载辑输达过运近还这进连述退送选通速造連道邮' +
    '部都配释里重量金钟钮链销错键长開間関门闭问间队阳陆限院除雅集雷需非面音页项预频题额首验高黑',
)
