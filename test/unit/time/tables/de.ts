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
2026-11-03 → 2026-11-03: 3 November 2026
März 2026 → März 2026: March 2026
im März → März: March 2026
Q2 2026 → Q2 2026: 1 April to 30 June 2026
2. Quartal 2026 → 2. Quartal 2026: 1 April to 30 June 2026
Sommer 2025 → Sommer 2025: 1 June to 31 August 2025
im Sommer → Sommer: 1 June to 31 August 2026
im Jahr 2024 → 2024: 2024`
