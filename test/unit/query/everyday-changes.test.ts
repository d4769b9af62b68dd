/** [H1] Tests changes that people tell in passing, by sentences in other words than those by which their rules were found, each next to what looks like it and is none. */
import { describe, expect, test } from 'vitest'
import { changeOf } from '../../../src/core/changes/change-of.ts'
import { clausesOf } from '../../../src/core/changes/clauses.ts'

const change = (earlier: string, later: string) => changeOf(clausesOf(earlier), clausesOf(later))

const kinds: Readonly<Record<string, readonly (readonly [earlier: string, later: string])[]>> = {
  'a time that was moved, whatever to': [
    ['The hearing is on Monday.', 'The hearing has been postponed by a week.'],
    ['The lesson is at 17:00.', 'The lesson was delayed by ten minutes.'],
    ['The launch is on 4 May.', 'They brought the launch forward to 2 May.'],
    ['The choir starts at 19:00.', 'The choir starts an hour later, at 20:00.'],
  ],
  'what was to happen has happened': [
    ['The parcel from Oslo has not arrived.', 'The parcel from Oslo arrived.'],
    ['The plumber has not replied.', 'The plumber replied.'],
    ['The seeds have not sprouted.', 'The seeds sprouted.'],
  ],
  'a liking or a habit that began, ended or must end': [
    ['I hate opera.', 'I have started to like opera.'],
    ['I dislike kale.', 'I have come to love kale.'],
    ['I can’t stand jazz.', 'I love jazz now.'],
    ['I eat nuts.', 'I have to avoid nuts from now on.'],
    ['I row every evening.', 'I gave up rowing.'],
    ['I swim twice a week.', 'I swim once a week now.'],
    ['I paint three times a month.', 'I paint once a month now.'],
  ],
  'ages and numbers of the family': [
    ['My son is 4 years old.', 'My son turned five on Monday.'],
    ['My son is 9 years old.', 'My son is ten now.'],
    ['The story must have 2,000 words.', 'The story must have 1,800 words.'],
  ],
  'where a thing or a person is': [
    ['The tent is in the shed.', 'I lent the tent to Olga.'],
    ['The agency is at 3 Elm Street.', 'The agency has a new address: 8 Oak Lane.'],
    ['We host the podcast on Anchor.', 'The podcast is on our own site now.'],
    ['Leyla lives in Izmir.', 'Leyla emigrated to Chile.'],
    ['Leyla lives in Izmir.', 'Leyla has been living in Ankara since May.'],
    ['My cousin Ole is in Peru.', 'Ole is back from Peru.'],
    ['My gran is in hospital.', 'My gran is back home.'],
    ['Our tenant is Mr. Brook.', 'Mr. Brook moved out.'],
    ['My daughter Ida is at the school in Rye.', 'Ida has changed to the school in Hove.'],
  ],
  'a state that other words name': [
    ['The boiler is broken.', 'The boiler works again.'],
    ['The scanner is out of order.', 'The scanner is running again.'],
    ['Lea and Tom are a couple.', 'Lea and Tom split up.'],
    ['Our train is delayed.', 'Our train is on time.'],
    ['I am on vacation until Monday.', 'I am back from vacation.'],
    ['Rita is pregnant.', 'Rita had her baby on Monday.'],
    ['Der Herd ist an.', 'Der Herd ist aus.'],
    ['Le four est en panne.', 'Le four est réparé.'],
    ['The helmet is optional.', 'The helmet is mandatory now.'],
    ['The night mode is disabled.', 'I enabled the night mode.'],
    ['The visa request is pending.', 'My visa request was rejected.'],
    ['Das Radio ist kaputt.', 'Das Radio funktioniert wieder.'],
    ['De lift is kapot.', 'De lift werkt weer.'],
    ['I’m single.', 'I have a new girlfriend.'],
  ],
  'what used to be so': [
    ['Rhea is a plumber.', 'Rhea used to be a plumber.'],
    ['I smoke.', 'I used to smoke.'],
    ['Gus lives in Bonn.', 'Gus formerly lived in Bonn.'],
    ['My coach is Ms. Orr.', 'Ms. Orr is my ex-coach.'],
    ['My husband is Ulf.', 'Ulf is my former husband.'],
    ['Mein Trainer ist Herr Buck.', 'Herr Buck ist mein ehemaliger Trainer.'],
  ],
  'what somebody gave up or left, in other words': [
    ['Rhea volunteers at the zoo.', 'Rhea stopped volunteering at the zoo.'],
    ['I am a cook at Nobu.', 'I gave notice at Nobu.'],
    ['Ida is allergic to milk.', 'Ida has outgrown her milk allergy.'],
    ['The blog runs on host-3.', 'host-3 was decommissioned.'],
    ['The fair is on Saturday.', 'The fair was called off due to rain.'],
    ['Gus is in the clinic in Ulm.', 'Gus came home from the clinic.'],
    ['Nous aimons le thé.', 'Nous n’aimons plus le thé.'],
    ['Non amo il jazz, amo il rock.', 'Non amo più il rock.'],
    ['Luca lavora in posta.', 'Luca ha lasciato la posta e studia.'],
    ['A Inês trabalha na Sonae.', 'A Inês saiu da Sonae.'],
  ],
  'where something takes place or somebody is based': [
    ['The reading takes place in the library.', 'The reading takes place in the theatre.'],
    ['Le cours a lieu le lundi.', 'Le cours a lieu le jeudi.'],
    ['Die Probe findet montags statt.', 'Die Probe findet freitags statt.'],
    ['Gus is based in Rome.', 'Gus is now based in Pisa.'],
  ],
  'an office that another has': [
    ['Gus chairs the council.', 'Rhea is the new chair of the council.'],
    ['Gus is the secretary.', 'Rhea was elected secretary.'],
    ['Gus chairs the council.', 'Gus stepped down and Rhea chairs the council.'],
  ],
  'another one, by name': [
    ['We travel to Crete at Easter.', 'We travel to Malta at Easter instead.'],
    ['We will visit Rome in May.', 'We are visiting Pisa instead of Rome in May.'],
    ['We bill with Sage.', 'We bill with Xero now.'],
    ['Otto works at Lidl.', 'Otto doesn’t work at Lidl any more.'],
    ['Lavoro alla Lancia.', 'Adesso lavoro alla Pirelli.'],
    ['Ik werk bij Shell.', 'Ik werk nu bij Tata.'],
    ['Vera studiert in Trier.', 'Vera studiert jetzt in Mainz.'],
    ['Wir benutzen Miro.', 'Wir sind von Miro auf Mural umgestiegen.'],
  ],
}

describe.each(Object.entries(kinds))('[H1] %s', (_, pairs) => {
  test.each(pairs)('%s → %s', (earlier, later) => {
    expect(change(earlier, later)).not.toBeNull()
  })
})

test.each([
  ['The hearing is on Monday.', 'The concert has been postponed by a week.'],
  ['The parcel from Oslo has not arrived.', 'The letter from Rome arrived.'],
  ['I hate opera.', 'I have started to like jazz.'],
  ['I eat nuts.', 'My sister has to avoid nuts.'],
  ['I row every evening.', 'Tom gave up smoking.'],
  ['I weigh 70 kg.', 'The bike weighs 12 kg.'],
  ['I have watched 3 episodes of Dark.', 'I have watched 5 episodes of Lost.'],
  ['The bill of May is 80 euros.', 'The bill of June is 95 euros.'],
  ['Server eu-1 runs Debian.', 'Server us-1 runs Ubuntu.'],
  ['I subscribe to the New Yorker.', 'I also subscribe to the Economist.'],
  ['The tent is in the shed.', 'I lent the drill to Olga.'],
  ['The boiler is broken.', 'The lift works again.'],
  ['Lea and Tom are a couple.', 'Ida and Max split up.'],
  ['Rita is pregnant.', 'Olga had her baby on Monday.'],
  ['Our tenant is Mr. Brook.', 'Mr. Hill moved out.'],
  ['Gus chairs the council.', 'Rhea is the new chair of the club.'],
  ['We travel to Crete at Easter.', 'We travel to Malta in autumn.'],
  ['My cousin Ole is in Peru.', 'Max is back from Peru.'],
  ['I swim twice a week.', 'I run once a week.'],
  ['The shed is full.', 'The shed was moved.'],
  ['The lesson is at 17:00.', 'The lesson takes ten minutes.'],
  ['Gus is a baker.', 'Rhea was elected baker.'],
  ['Gus works at Bosch.', 'Rhea left Bosch.'],
  ['I work for Siemens.', 'I no longer work at Bosch.'],
  ['My ex-wife is Rhea.', 'My wife is Ida.'],
  ['Gus is in the clinic.', 'Rhea came home from the clinic.'],
  ['I used to drink tea.', 'I drink coffee.'],
])('[H1] control: %s says nothing of: %s', (one, other) => {
  expect(change(one, other)).toBeNull()
  expect(change(other, one)).toBeNull()
})
