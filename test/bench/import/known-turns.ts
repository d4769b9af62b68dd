/** Made turns of chats: those that questions ask for, in other words than the question's, and the small talk between them. */
export interface KnownTurn {
  readonly turn: string
  readonly question: string
}

export const knownTurns: readonly KnownTurn[] = [
  {
    turn: 'Our landlord wants 2,400 euro as a deposit before we get the keys.',
    question: 'how much is the deposit for the flat?',
  },
  {
    turn: 'My sister Ilse is allergic to hazelnuts, so the cake needs almonds.',
    question: 'what can my sister not eat?',
  },
  {
    turn: 'The boiler was serviced by Brandt on 14 March; the next check is in two years.',
    question: 'who serviced the boiler?',
  },
  {
    turn: 'I set the nightly backup of the server to run at 03:40 with restic.',
    question: 'when does the server backup run?',
  },
  {
    turn: 'The wifi password of the cabin is painted under the blue bench.',
    question: 'where do I find the wifi password of the cabin?',
  },
  {
    turn: 'We decided to use PostgreSQL for the invoices and to drop MongoDB.',
    question: 'which database did we choose for invoices?',
  },
  {
    turn: 'Doctor Okafor said that I should take the iron tablets with orange juice.',
    question: 'how should I take the iron tablets?',
  },
  { turn: 'Priya starts her new job in Rotterdam at the port authority in May.', question: 'where will Priya work?' },
  {
    turn: 'The rye bread needs 250 degrees for ten minutes, then 200 for fifty.',
    question: 'how hot must the oven be for rye bread?',
  },
  { turn: 'I parked the van on level 3 of the garage near the station.', question: 'where is the van parked?' },
  { turn: 'The license of the font allows use in print but not in apps.', question: 'may we use the font in an app?' },
  { turn: 'My running goal this year is a half marathon below two hours.', question: 'what is my running goal?' },
  { turn: 'The flight to Lisbon leaves at 06:55 from gate B22.', question: 'when does the flight to Lisbon leave?' },
  {
    turn: 'The memory leak came from a listener that was never removed in the chart component.',
    question: 'what caused the memory leak?',
  },
  {
    turn: 'Grandmother kept her recipe for plum dumplings in the green tin.',
    question: 'where is the recipe for plum dumplings?',
  },
  { turn: 'For the thesis I chose the title Birds that remember winter.', question: 'what is the title of my thesis?' },
  { turn: 'The dentist moved my appointment to Thursday at nine.', question: 'when do I see the dentist?' },
  {
    turn: 'The accountant needs all receipts above 150 euro by the end of January.',
    question: 'which receipts does the accountant need?',
  },
  { turn: 'We painted the nursery in a shade called Oxford sage.', question: 'which colour did we paint the nursery?' },
  {
    turn: 'The API limits us to 90 calls per minute, so I added a queue.',
    question: 'how many API calls per minute are allowed?',
  },
]

export const smallTalk: readonly string[] = [
  'Could you explain that once more, with an example?',
  'Sure, here is a shorter version of the paragraph with a clearer first sentence.',
  'Which of the two plans would you choose, and why?',
  'The function returns early when the list is empty, so the loop does not run.',
  'Thanks, that works now. Can we also write a test for it?',
  'A good way to begin is to write down what you know about the problem.',
  'Please translate this letter into plain English and keep the tone friendly.',
  'The recipe works with oat milk too, but the dough gets softer.',
  'I would rent a car for the weekend, because the trains are slow there.',
  'Let us compare the prices of both flats after the visit on Saturday.',
  'The server answers slowly in the evening; is it the database or the network?',
  'You can put the van in the garage and walk to the station from there.',
  'Bread dries out less if you keep it in a tin.',
  'What should I cook for my sister on Sunday?',
  'The dentist said that my teeth are fine.',
  'My thesis grows slowly, a page a day.',
  'The invoice was paid twice by mistake; how do I ask for the money back?',
  'A calm colour suits a small room.',
  'The font looks too thin on this screen.',
  'I want to run more often this year, but my knee hurts.',
]
