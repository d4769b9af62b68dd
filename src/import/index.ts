/** `scrubjay/import`: exports of other programs, folders of notes and single files as records. */
export type { GivenFile, GivenFiles, Handle, NamedContent } from './files/given-files.ts'
export { type ImportedRecords, type ImportOptions, type ImportProgress, readExport } from './read-export.ts'
export type { LeftCode, OpenPdf, PdfDocument, PdfPage } from './reading/reader.ts'
export type { ImportReport, LeftPart } from './reading/report.ts'
