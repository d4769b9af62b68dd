/** The functions of the page that a turn calls. */
export interface TurnActions {
  showLife(id: string): void
  /** Called after the store has saved feedback. */
  learned(): void
  /** Sends a message as if the user had written it. */
  send(message: string): void
  forgotten(ids: readonly string[]): void
}
