/** German times at Wednesday 18 November 2026, 10:30 UTC: text → what is read: its window. */
export const de = `
gestern → gestern: 17 November 2026
gestern Abend → gestern Abend: 17 November 2026, 17:00 to 00:00
heute Morgen → heute Morgen: 18 November 2026, 04:00 to 12:00
heute Nacht → heute Nacht: 18 November 2026, 18:00 to 19 November 2026, 06:00
vorgestern → vorgestern: 16 November 2026
was habe ich letzte Woche gemacht → letzte Woche: 9 to 15 November 2026
letztes Wochenende → letztes Wochenende: 14 to 15 November 2026
letzten Dienstag → letzten Dienstag: 17 November 2026
nächsten Freitag → nächsten Freitag: 20 November 2026
am Dienstag → Dienstag: 17 November 2026
nächste Woche → nächste Woche: 23 to 29 November 2026
diesen Monat → diesen Monat: November 2026
dieses Jahr → dieses Jahr: 2026
letzten Sommer → letzten Sommer: 1 June to 31 August 2026
letzten März → letzten März: March 2026
vor zwei Wochen → vor zwei Wochen: 2 to 8 November 2026
vor drei Tagen → vor drei Tagen: 15 November 2026
vor einer Stunde → vor einer Stunde: 18 November 2026, 09:00 to 10:00
in zwei Wochen → in zwei Wochen: 30 November to 6 December 2026
die letzten zehn Tage → letzten zehn Tage: 8 to 18 November 2026
in den letzten drei Monaten → letzten drei Monaten: 18 August to 18 November 2026
seit März → seit März: from 1 March 2026 on
seit letztem Jahr → seit letztem Jahr: from 1 January 2025 on
seit dem 15. März → seit dem 15. März: from 15 March 2026 on
vor Juni → vor Juni: until 31 May 2026
bis Ende Mai → bis Ende Mai: until 31 May 2026
nach dem 1. Juni 2026 → nach dem 1. Juni 2026: from 2 June 2026 on
zwischen Mai und Juli → zwischen Mai und Juli: 1 May to 31 July 2026
von Januar bis März → von Januar bis März: 1 January to 31 March 2026
vom 5. bis 7. Mai 2023 → 5. bis 7. Mai 2023: 5 to 7 May 2023
15. November → 15. November: 15 November 2026
am 15. November 2026 → 15. November 2026: 15 November 2026
am 3.11.2026 → 3.11.2026: 3 November 2026
was war am 3.11.? → 3.11: 3 November 2026
am 31.10 → 31.10: 31 October 2026
bis zum 15.10. fertig → bis zum 15.10: until 15 October 2026
vom 3.11. bis 7.11. → vom 3.11. bis 7.11: 3 to 7 November 2026
2026-11-03 → 2026-11-03: 3 November 2026
März 2026 → März 2026: March 2026
im März → März: March 2026
Q2 2026 → Q2 2026: 1 April to 30 June 2026
2. Quartal 2026 → 2. Quartal 2026: 1 April to 30 June 2026
Sommer 2025 → Sommer 2025: 1 June to 31 August 2025
im Sommer → Sommer: 1 June to 31 August 2026
im Jahr 2024 → 2024: 2024
Anfang November → Anfang November: 1 to 10 November 2026
Mitte Oktober → Mitte Oktober: 11 to 20 October 2026
Ende 2025 → Ende 2025: 1 September to 31 December 2025
Ende Oktober → Ende Oktober: 21 to 31 October 2026
Anfang dieses Monats → Anfang dieses Monats: 1 to 10 November 2026
Ende letzten Jahres → Ende letzten Jahres: 1 September to 31 December 2025
Anfang letzter Woche → Anfang letzter Woche: 9 to 10 November 2026
10/2026 → 10/2026: October 2026
03.11.2026 → 03.11.2026: 3 November 2026
letzte Weihnachten → letzte Weihnachten: 24 to 26 December 2025
an Weihnachten → Weihnachten: 24 to 26 December 2025
zu Weihnachten → Weihnachten: 24 to 26 December 2025
Heiligabend 2025 → Heiligabend 2025: 24 December 2025
an Heiligabend → Heiligabend: 24 December 2025
an Silvester → Silvester: 31 December 2025
Silvester 2025 → Silvester 2025: 31 December 2025
Weihnachten 2025 → Weihnachten 2025: 24 to 26 December 2025
in 2024 → 2024: 2024
2024 → 2024: 2024
im November → November: November 2026
vor 2023 → vor 2023: until 31 December 2022
Q3 2026 → Q3 2026: 1 July to 30 September 2026
letztes Quartal → letztes Quartal: 1 July to 30 September 2026
drittes Quartal 2025 → drittes Quartal 2025: 1 July to 30 September 2025
im dritten Quartal 2025 → dritten Quartal 2025: 1 July to 30 September 2025
vorletztes Wochenende → vorletztes Wochenende: 7 to 8 November 2026
vorletzte Woche → vorletzte Woche: 2 to 8 November 2026
vorletztes Jahr → vorletztes Jahr: 2024
am Dienstag vor zwei Wochen → Dienstag vor zwei Wochen: 3 November 2026
Dienstag letzter Woche → Dienstag letzter Woche: 10 November 2026
zwischen dem 3. und 7. November → 3. und 7. November: 3 to 7 November 2026
3.–7. November → 3.–7. November: 3 to 7 November 2026
3. bis 7. November → 3. bis 7. November: 3 to 7 November 2026
in den 1990ern → 1990ern: 1 January 1990 to 31 December 1999
heute Abend → heute Abend: 18 November 2026, 17:00 to 00:00
heute früh → heute früh: 18 November 2026, 04:00 to 12:00
Oktober letzten Jahres → Oktober letzten Jahres: October 2025
im Sommer letzten Jahres → Sommer letzten Jahres: 1 June to 31 August 2025
letztes Jahr im Oktober → letztes Jahr im Oktober: October 2025
vor einem halben Jahr → vor einem halben Jahr: May 2026
erste Hälfte 2025 → erste Hälfte 2025: 1 January to 30 June 2025
im Laufe der letzten Woche → letzten Woche: 9 to 15 November 2026
in der vergangenen Woche → vergangenen Woche: 9 to 15 November 2026
vor etwa zwei Wochen → vor etwa zwei Wochen: 2 to 8 November 2026
vor ein paar Tagen → vor ein paar Tagen: 15 November 2026
seit Anfang 2025 → seit Anfang 2025: from 1 January 2025 on
bis Ende letzten Jahres → bis Ende letzten Jahres: until 31 December 2025
am 12. Oktober letzten Jahres → 12. Oktober letzten Jahres: 12 October 2025
letzte Woche Montag → letzte Woche Montag: 9 November 2026
in der letzten Woche im Mai → letzten Woche im Mai: 21 to 31 May 2026
bis Mitte nächsten Monats → bis Mitte nächsten Monats: until 20 December 2026
habe ich letzte Woche das Auto geputzt → letzte Woche: 9 to 15 November 2026
am Montag vor dem 24. Juli 2023 → Montag vor dem 24. Juli 2023: 17 July 2023
die Woche nach dem 3. Mai 2025 → Woche nach dem 3. Mai 2025: 4 to 10 May 2025
in den 90ern → 90ern: 1 January 1990 to 31 December 1999
in den Neunzigern → Neunzigern: 1 January 1990 to 31 December 1999
aus den 80er Jahren → 80er: 1 January 1980 to 31 December 1989
am Wochenende → am Wochenende: 14 to 15 November 2026
übers Wochenende → übers Wochenende: 14 to 15 November 2026
am ersten Freitag im Mai → ersten Freitag im Mai: 1 May 2026
der letzte Sonntag im März → letzte Sonntag im März: 29 March 2026
in der zweiten Woche im Juli → zweiten Woche im Juli: 5 to 17 July 2026
die Woche vom 3. Mai → Woche vom 3. Mai: 27 April to 3 May 2026
vor einer halben Stunde → vor einer halben Stunde: 18 November 2026, 09:52 to 10:07
am Montagmorgen → Montagmorgen: 16 November 2026, 04:00 to 12:00
am Freitagabend → Freitagabend: 13 November 2026, 17:00 to 00:00
letzten Freitagabend → letzten Freitagabend: 13 November 2026, 17:00 to 00:00
am Samstag Abend → Samstag Abend: 14 November 2026, 17:00 to 00:00
KW 42 → KW 42: 12 to 18 October 2026
Kalenderwoche 42 2025 → Kalenderwoche 42 2025: 13 to 19 October 2025
Ende des Monats → Ende des Monats: 21 to 31 October 2026
am Ende des Monats → Ende des Monats: 21 to 31 October 2026
Anfang des Jahres → Anfang des Jahres: 1 January to 30 April 2026
Anfang der Woche → Anfang der Woche: 16 to 17 November 2026
an Ostern → Ostern: 3 to 6 April 2026
letzte Ostern → letzte Ostern: 3 to 6 April 2026
Ostern 2025 → Ostern 2025: 18 to 21 April 2025
zu Ostern → Ostern: 3 to 6 April 2026
am Valentinstag → Valentinstag: 14 February 2026
vor vierzehn Tagen → vor vierzehn Tagen: 4 November 2026
in der letzten Stunde → letzten Stunde: 18 November 2026, 09:30 to 10:30
am vierten Juli → vierten Juli: 4 July 2026
der einundzwanzigste Juni 2024 → einundzwanzigste Juni 2024: 21 June 2024
was war am 13.? → 13: 13 November 2026
Freitag, der 13. → Freitag, der 13: 13 November 2026
seit dem 13. → seit dem 13: from 13 November 2026 on
Zahnarzt Freitag → Freitag: 13 November 2026
Essen mit Ana Freitag → Freitag: 13 November 2026
Fr 14:30 → Fr 14:30: 13 November 2026, 14:30 to 14:31
Do 9 Uhr → Do 9 Uhr: 12 November 2026, 09:00 to 10:00
am Freitag um halb drei → Freitag um halb drei: 13 November 2026, 14:30 to 14:31
am 3. Dezember mittags → 3. Dezember mittags: 3 December 2025, 12:00 to 12:01
27.5. → 27.5: 27 May 2026
`
