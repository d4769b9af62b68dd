/** Portuguese times at Wednesday 18 November 2026, 10:30 UTC: text → what is read: its window. */
export const pt = `
ontem → ontem: 17 November 2026
ontem à noite → ontem à noite: 17 November 2026, 18:00 to 18 November 2026, 06:00
esta manhã → esta manhã: 18 November 2026, 04:00 to 12:00
esta tarde → esta tarde: 18 November 2026, 12:00 to 18:00
anteontem → anteontem: 16 November 2026
depois de amanhã → depois de amanhã: 20 November 2026
hoje → hoje: 18 November 2026
o que fiz na semana passada → semana passada: 9 to 15 November 2026
no fim de semana passado → fim de semana passado: 14 to 15 November 2026
terça-feira passada → terça-feira passada: 17 November 2026
próxima sexta-feira → próxima sexta-feira: 20 November 2026
na terça-feira → terça-feira: 17 November 2026
na próxima semana → próxima semana: 23 to 29 November 2026
semana que vem → semana que vem: 23 to 29 November 2026
este mês → este mês: November 2026
este ano → este ano: 2026
no verão passado → verão passado: 1 June to 31 August 2026
março passado → março passado: March 2026
há duas semanas → há duas semanas: 2 to 8 November 2026
duas semanas atrás → duas semanas atrás: 2 to 8 November 2026
há uma hora → há uma hora: 18 November 2026, 09:00 to 10:00
em duas semanas → em duas semanas: 30 November to 6 December 2026
os últimos dez dias → últimos dez dias: 8 to 18 November 2026
nos últimos três meses → últimos três meses: 18 August to 18 November 2026
desde março → desde março: from 1 March 2026 on
desde o ano passado → desde o ano passado: from 1 January 2025 on
desde 15 de março → desde 15 de março: from 15 March 2026 on
antes de junho → antes de junho: until 31 May 2026
até maio → até maio: until 31 May 2026
depois de 1 de junho de 2026 → depois de 1 de junho de 2026: from 2 June 2026 on
entre maio e julho → entre maio e julho: 1 May to 31 July 2026
de janeiro a março → de janeiro a março: 1 January to 31 March 2026
de 5 a 7 de maio de 2023 → 5 a 7 de maio de 2023: 5 to 7 May 2023
15 de novembro → 15 de novembro: 15 November 2026
15 de novembro de 2026 → 15 de novembro de 2026: 15 November 2026
15/11/2026 → 15/11/2026: 15 November 2026
março de 2026 → março de 2026: March 2026
em março → março: March 2026
T2 2026 → T2 2026: 1 April to 30 June 2026
segundo trimestre de 2026 → segundo trimestre de 2026: 1 April to 30 June 2026
verão de 2025 → verão de 2025: 1 June to 31 August 2025
no verão → verão: 1 June to 31 August 2026
em 2024 → 2024: 2024`
