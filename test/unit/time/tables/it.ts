/** Italian times at Wednesday 18 November 2026, 10:30 UTC: text → what is read: its window. */
export const it = `
ieri → ieri: 17 November 2026
ieri sera → ieri sera: 17 November 2026, 17:00 to 00:00
questa mattina → questa mattina: 18 November 2026, 04:00 to 12:00
stamattina → stamattina: 18 November 2026, 04:00 to 12:00
stanotte → stanotte: 18 November 2026, 18:00 to 19 November 2026, 06:00
questo pomeriggio → questo pomeriggio: 18 November 2026, 12:00 to 18:00
l'altro ieri → altro ieri: 16 November 2026
oggi → oggi: 18 November 2026
cosa ho fatto la settimana scorsa → settimana scorsa: 9 to 15 November 2026
lo scorso fine settimana → scorso fine settimana: 14 to 15 November 2026
martedì scorso → martedì scorso: 17 November 2026
venerdì prossimo → venerdì prossimo: 20 November 2026
la prossima settimana → prossima settimana: 23 to 29 November 2026
questo mese → questo mese: November 2026
quest'anno → quest'anno: 2026
l'estate scorsa → estate scorsa: 1 June to 31 August 2026
lo scorso marzo → scorso marzo: March 2026
due settimane fa → due settimane fa: 2 to 8 November 2026
tre giorni fa → tre giorni fa: 15 November 2026
un'ora fa → un'ora fa: 18 November 2026, 09:00 to 10:00
tra due settimane → tra due settimane: 30 November to 6 December 2026
gli ultimi dieci giorni → ultimi dieci giorni: 8 to 18 November 2026
negli ultimi tre mesi → ultimi tre mesi: 18 August to 18 November 2026
da marzo → da marzo: from 1 March 2026 on
dall'anno scorso → dall'anno scorso: from 1 January 2025 on
dal 15 marzo → dal 15 marzo: from 15 March 2026 on
prima di giugno → prima di giugno: until 31 May 2026
fino a maggio → fino a maggio: until 31 May 2026
dopo il 1 giugno 2026 → dopo il 1 giugno 2026: from 2 June 2026 on
tra maggio e luglio → tra maggio e luglio: 1 May to 31 July 2026
da gennaio a marzo → da gennaio a marzo: 1 January to 31 March 2026
dal 5 al 7 maggio 2023 → dal 5 al 7 maggio 2023: 5 to 7 May 2023
15 novembre → 15 novembre: 15 November 2026
il 15 novembre 2026 → 15 novembre 2026: 15 November 2026
15/11/2026 → 15/11/2026: 15 November 2026
il 31/10 → 31/10: 31 October 2026
marzo 2026 → marzo 2026: March 2026
a marzo → marzo: March 2026
T2 2026 → T2 2026: 1 April to 30 June 2026
secondo trimestre del 2026 → secondo trimestre del 2026: 1 April to 30 June 2026
estate 2025 → estate 2025: 1 June to 31 August 2025
in estate → estate: 1 June to 31 August 2026
nel 2024 → 2024: 2024
inizio novembre → inizio novembre: 1 to 10 November 2026
metà ottobre → metà ottobre: 11 to 20 October 2026
fine 2025 → fine 2025: 1 September to 31 December 2025
fine ottobre → fine ottobre: 21 to 31 October 2026
a fine ottobre → fine ottobre: 21 to 31 October 2026
all'inizio di questo mese → inizio di questo mese: 1 to 10 November 2026
alla fine dell'anno scorso → fine dell'anno scorso: 1 September to 31 December 2025
inizio della settimana scorsa → inizio della settimana scorsa: 9 to 10 November 2026
10/2026 → 10/2026: October 2026
a Natale → Natale: 24 to 26 December 2025
lo scorso Natale → scorso Natale: 24 to 26 December 2025
il giorno di Natale → giorno di Natale: 25 December 2025
Natale 2025 → Natale 2025: 24 to 26 December 2025
la vigilia di Natale → vigilia di Natale: 24 December 2025
a Capodanno → Capodanno: 1 January 2026
a San Silvestro → San Silvestro: 31 December 2025
a novembre → novembre: November 2026
prima del 2023 → prima del 2023: until 31 December 2022
T3 2026 → T3 2026: 1 July to 30 September 2026
lo scorso trimestre → scorso trimestre: 1 July to 30 September 2026
terzo trimestre del 2025 → terzo trimestre del 2025: 1 July to 30 September 2025
nel terzo trimestre del 2025 → terzo trimestre del 2025: 1 July to 30 September 2025
due settimane fa di martedì → due settimane fa di martedì: 3 November 2026
martedì della settimana scorsa → martedì della settimana scorsa: 10 November 2026
tra il 3 e il 7 novembre → 3 e il 7 novembre: 3 to 7 November 2026
3-7 novembre → 3-7 novembre: 3 to 7 November 2026
dal 3 al 7 novembre → dal 3 al 7 novembre: 3 to 7 November 2026
gli anni 1990 → anni 1990: 1 January 1990 to 31 December 1999
stasera → stasera: 18 November 2026, 17:00 to 00:00
ottobre dell'anno scorso → ottobre dell'anno scorso: October 2025
ottobre scorso → ottobre scorso: October 2026
circa due settimane fa → due settimane fa: 2 to 8 November 2026
qualche giorno fa → qualche giorno fa: 15 November 2026
da inizio 2025 → da inizio 2025: from 1 January 2025 on
il lunedì prima del 24 luglio 2023 → lunedì prima del 24 luglio 2023: 17 July 2023
la settimana dopo il 3 maggio 2025 → settimana dopo il 3 maggio 2025: 4 to 10 May 2025
il fine settimana prima del 4 ottobre 2023 → fine settimana prima del 4 ottobre 2023: 30 September to 1 October 2023
negli anni 90 → anni 90: 1 January 1990 to 31 December 1999
negli anni novanta → anni novanta: 1 January 1990 to 31 December 1999
nel weekend → nel weekend: 14 to 15 November 2026
nel fine settimana → nel fine settimana: 14 to 15 November 2026
il primo venerdì di maggio → primo venerdì di maggio: 1 May 2026
l'ultima domenica di marzo → ultima domenica di marzo: 29 March 2026
la seconda settimana di luglio → seconda settimana di luglio: 5 to 17 July 2026
la settimana del 3 maggio → settimana del 3 maggio: 27 April to 3 May 2026
mezz'ora fa → mezz'ora fa: 18 November 2026, 09:52 to 10:07
quindici giorni fa → quindici giorni fa: 3 November 2026
lunedì mattina → lunedì mattina: 16 November 2026, 04:00 to 12:00
venerdì sera → venerdì sera: 13 November 2026, 17:00 to 00:00
sabato sera scorso → sabato sera scorso: 14 November 2026, 17:00 to 00:00
settimana 42 del 2025 → settimana 42 del 2025: 13 to 19 October 2025
alla fine del mese → fine del mese: 21 to 31 October 2026
all'inizio dell'anno → inizio dell'anno: 1 January to 30 April 2026
inizio della settimana → inizio della settimana: 16 to 17 November 2026
a Pasqua → Pasqua: 3 to 6 April 2026
Pasqua 2025 → Pasqua 2025: 18 to 21 April 2025
a San Valentino → San Valentino: 14 February 2026
il quattro luglio → quattro luglio: 4 July 2026
cosa è successo il 13? → 13: 13 November 2026
venerdì 13 → venerdì 13: 13 November 2026
note del 13 → 13: 13 November 2026
pranzo con Ana venerdì → venerdì: 13 November 2026
venerdì mezzogiorno → venerdì mezzogiorno: 13 November 2026, 12:00 to 12:01
`
