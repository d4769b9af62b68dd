/** Tests turns: one task at a time, in order, with messages and timers in between; aborted tasks are skipped. */
import { describe, expect, it } from 'vitest'
import { createTurns } from '../../../worker/scheduling/turns.ts'

/** Tasks that run when the test says so. */
function openTasks() {
  const tasks: (() => void)[] = []
  return {
    turns: createTurns((work) => tasks.push(work)),
    async pass() {
      tasks.shift()?.()
      await Promise.resolve()
    },
    waiting: () => tasks.length,
  }
}

describe('turns', () => {
  it('[Q6] the first begins at once, each other one in a task of its own, in order', async () => {
    const { turns, pass, waiting } = openTasks()
    const begun: number[] = []
    for (const i of [1, 2, 3]) void turns.take().then(() => begun.push(i))
    await Promise.resolve()
    expect(begun).toEqual([1])
    await pass()
    expect(begun).toEqual([1, 2])
    await pass()
    expect(begun).toEqual([1, 2, 3])
    await pass()
    // Idle again.
    expect(waiting()).toBe(0)
    await turns.take()
  })

  it('[Q6] a call that was aborted before its turn never begins, and costs no task', async () => {
    const { turns, pass } = openTasks()
    const begun: number[] = []
    const controllers = [1, 2, 3, 4].map((i) => {
      const controller = new AbortController()
      turns.take(controller.signal).then(
        () => begun.push(i),
        (reason: unknown) => begun.push(-i, reason as number),
      )
      return controller
    })
    controllers[1]?.abort(20)
    controllers[2]?.abort(30)
    await pass()
    expect(begun).toEqual([1, -2, 20, -3, 30, 4].toSorted((a, b) => begun.indexOf(a) - begun.indexOf(b)))
    expect(begun).toContain(4)
    await expect(turns.take(AbortSignal.abort(50))).rejects.toBe(50)
  })
})
