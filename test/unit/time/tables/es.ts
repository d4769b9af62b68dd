/** Spanish times at Wednesday 18 November 2026, 10:30 UTC: text → what is read: its window. */
export const es = `
ayer → ayer: 17 November 2026
ayer por la noche → ayer por la noche: 17 November 2026, 18:00 to 18 November 2026, 06:00
esta mañana → esta mañana: 18 November 2026, 04:00 to 12:00
esta tarde → esta tarde: 18 November 2026, 12:00 to 18:00
anoche → anoche: 17 November 2026, 18:00 to 18 November 2026, 06:00
anteayer → anteayer: 16 November 2026
hoy → hoy: 18 November 2026
qué hice la semana pasada → semana pasada: 9 to 15 November 2026
el fin de semana pasado → fin de semana pasado: 14 to 15 November 2026
el martes pasado → martes pasado: 17 November 2026
el próximo viernes → próximo viernes: 20 November 2026
la próxima semana → próxima semana: 23 to 29 November 2026
la semana que viene → semana que viene: 23 to 29 November 2026
este mes → este mes: November 2026
este año → este año: 2026
el verano pasado → verano pasado: 1 June to 31 August 2026
el pasado marzo → pasado marzo: March 2026
hace dos semanas → hace dos semanas: 2 to 8 November 2026
hace tres días → hace tres días: 15 November 2026
hace una hora → hace una hora: 18 November 2026, 09:00 to 10:00
dentro de dos semanas → dentro de dos semanas: 30 November to 6 December 2026
los últimos diez días → últimos diez días: 8 to 18 November 2026
en los últimos tres meses → últimos tres meses: 18 August to 18 November 2026
desde marzo → desde marzo: from 1 March 2026 on
desde el año pasado → desde el año pasado: from 1 January 2025 on
desde el 15 de marzo → desde el 15 de marzo: from 15 March 2026 on
antes de junio → antes de junio: until 31 May 2026
hasta mayo → hasta mayo: until 31 May 2026
después del 1 de junio de 2026 → después del 1 de junio de 2026: from 2 June 2026 on
entre mayo y julio → entre mayo y julio: 1 May to 31 July 2026
de enero a marzo → de enero a marzo: 1 January to 31 March 2026
del 5 al 7 de mayo de 2023 → 5 al 7 de mayo de 2023: 5 to 7 May 2023
15 de noviembre → 15 de noviembre: 15 November 2026
el 15 de noviembre de 2026 → 15 de noviembre de 2026: 15 November 2026
15/11/2026 → 15/11/2026: 15 November 2026
marzo de 2026 → marzo de 2026: March 2026
en marzo → marzo: March 2026
T2 2026 → T2 2026: 1 April to 30 June 2026
segundo trimestre de 2026 → segundo trimestre de 2026: 1 April to 30 June 2026
verano de 2025 → verano de 2025: 1 June to 31 August 2025
en verano → verano: 1 June to 31 August 2026
en 2024 → 2024: 2024`
