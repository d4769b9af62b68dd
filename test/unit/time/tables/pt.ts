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
no dia 31/10? → 31/10: 31 October 2026
março de 2026 → março de 2026: March 2026
em março → março: March 2026
T2 2026 → T2 2026: 1 April to 30 June 2026
segundo trimestre de 2026 → segundo trimestre de 2026: 1 April to 30 June 2026
verão de 2025 → verão de 2025: 1 June to 31 August 2025
no verão → verão: 1 June to 31 August 2026
em 2024 → 2024: 2024
início de novembro → início de novembro: 1 to 10 November 2026
meados de outubro → meados de outubro: 11 to 20 October 2026
final de 2025 → final de 2025: 1 September to 31 December 2025
no fim de outubro → fim de outubro: 21 to 31 October 2026
no fim do ano passado → fim do ano passado: 1 September to 31 December 2025
início da semana passada → início da semana passada: 9 to 10 November 2026
10/2026 → 10/2026: October 2026
no Natal → Natal: 24 to 26 December 2025
Natal passado → Natal passado: 24 to 26 December 2025
no dia de Natal → dia de Natal: 25 December 2025
Natal de 2025 → Natal de 2025: 24 to 26 December 2025
na véspera de Natal → véspera de Natal: 24 December 2025
na véspera de Ano Novo → véspera de Ano Novo: 31 December 2025
em novembro → novembro: November 2026
antes de 2023 → antes de 2023: until 31 December 2022
T3 2026 → T3 2026: 1 July to 30 September 2026
trimestre passado → trimestre passado: 1 July to 30 September 2026
terceiro trimestre de 2025 → terceiro trimestre de 2025: 1 July to 30 September 2025
no terceiro trimestre de 2025 → terceiro trimestre de 2025: 1 July to 30 September 2025
semana retrasada → semana retrasada: 2 to 8 November 2026
terça-feira de há duas semanas → terça-feira de há duas semanas: 3 November 2026
terça-feira da semana passada → terça-feira da semana passada: 10 November 2026
entre 3 e 7 de novembro → 3 e 7 de novembro: 3 to 7 November 2026
3-7 de novembro → 3-7 de novembro: 3 to 7 November 2026
de 3 a 7 de novembro → 3 a 7 de novembro: 3 to 7 November 2026
os anos 1990 → anos 1990: 1 January 1990 to 31 December 1999
década de 1990 → década de 1990: 1 January 1990 to 31 December 1999
esta noite → esta noite: 18 November 2026, 18:00 to 19 November 2026, 06:00
hoje à noite → hoje à noite: 18 November 2026, 18:00 to 19 November 2026, 06:00
em outubro do ano passado → outubro do ano passado: October 2025
outubro passado → outubro passado: October 2026
há cerca de duas semanas → há cerca de duas semanas: 2 to 8 November 2026
há alguns dias → há alguns dias: 15 November 2026
desde o início de 2025 → desde o início de 2025: from 1 January 2025 on
no início deste mês → início deste mês: 1 to 10 November 2026
na segunda-feira antes de 24 de julho de 2023 → segunda-feira antes de 24 de julho de 2023: 17 July 2023
a semana depois de 3 de maio de 2025 → semana depois de 3 de maio de 2025: 4 to 10 May 2025
o mês antes de junho de 2025 → mês antes de junho de 2025: May 2025
o fim de semana antes de 4 de outubro de 2023 → fim de semana antes de 4 de outubro de 2023: 30 September to 1 October 2023
nos anos 90 → anos 90: 1 January 1990 to 31 December 1999
nos anos noventa → anos noventa: 1 January 1990 to 31 December 1999
no fim de semana → no fim de semana: 14 to 15 November 2026
durante o fim de semana → durante o fim de semana: 14 to 15 November 2026
a primeira sexta-feira de maio → primeira sexta-feira de maio: 1 May 2026
o último domingo de março → último domingo de março: 29 March 2026
a segunda semana de julho → segunda semana de julho: 5 to 17 July 2026
a semana de 3 de maio → semana de 3 de maio: 27 April to 3 May 2026
há meia hora → há meia hora: 18 November 2026, 09:52 to 10:07
há quinze dias → há quinze dias: 3 November 2026
segunda-feira de manhã → segunda-feira de manhã: 16 November 2026, 04:00 to 12:00
sexta-feira à noite → sexta-feira à noite: 13 November 2026, 18:00 to 14 November 2026, 06:00
sábado à noite → sábado à noite: 14 November 2026, 18:00 to 15 November 2026, 06:00
semana 42 de 2025 → semana 42 de 2025: 13 to 19 October 2025
no fim do mês → fim do mês: 21 to 31 October 2026
no início do ano → início do ano: 1 January to 30 April 2026
no começo da semana → começo da semana: 16 to 17 November 2026
na Páscoa → Páscoa: 3 to 6 April 2026
Páscoa de 2025 → Páscoa de 2025: 18 to 21 April 2025
o quatro de julho → quatro de julho: 4 July 2026
vinte e um de junho → vinte e um de junho: 21 June 2026
o que aconteceu no dia 13? → 13: 13 November 2026
sexta-feira 13 → sexta-feira 13: 13 November 2026
`
