/** 'Jay1' as SQLite's application id: marks a file as a Scrubjay store. */
export const applicationId = 0x4a617931
