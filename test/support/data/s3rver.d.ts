/** The part of s3rver that the tests use; it has no types of its own. */
declare module 's3rver' {
  export default class S3rver {
    constructor(options: Readonly<Record<string, unknown>>)
    run(): Promise<unknown>
    close(): Promise<void>
  }
}
