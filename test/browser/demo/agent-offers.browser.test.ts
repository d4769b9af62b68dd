/**
 * Tests how the agent's page, in Chromium, takes what a person says without the word “remember”: offers to keep statements and
 * corrections, follows up questions, and keeps the conversation for the next visit, but nothing of a forgotten record.
 */
import { availableBrowsers } from '../../support/browsers/browsers.ts'
import { describe, expect, test } from 'vitest'
import { useAgent } from './agent-page.ts'

describe.runIf(availableBrowsers().includes('chromium'))('the agent', () => {
  const { page, run, read, waitFor, started, say, forgetIt } = useAgent()
  const offers = `[...turn().querySelectorAll('.offers button')].map((one) => one.textContent)`
  const press = async (label: string) => {
    const turns = await read<number>('all(".turn").length')
    await run(
      `[...turn().querySelectorAll('.offers button')].find((one) => one.textContent === args[0]).click()`,
      label,
    )
    await waitFor(`all('.turn').length > ${turns} && reply() !== '' && text('#send') === 'Send'`)
  }

  test('offers to keep a statement, and to change a memory by a correction; the correction is quoted from then on', async () => {
    await say('My sister Nora is vegan')
    expect(await read(offers)).toEqual(['Remember this', 'No'])
    expect(await read('memories().length')).toBe(0)
    await press('Remember this')
    await waitFor('memories().length === 1')
    expect(await read('memories()')).toEqual([['user', 'My sister Nora is vegan']])

    await say('remember my daughter Mia starts school on 1 September')
    await say('No, Mia starts school on 8 September')
    expect(await read('reply()')).toMatch(/^I have .*“my daughter Mia starts school on 1 September”/)
    expect(await read(offers)).toEqual(['Change it', 'No'])
    await press('Change it')
    await say('when does Mia start school?')
    expect(await read('reply()')).toMatch(/^Said by you: “Mia starts school on 8 September”/)

    await say('The gym opens at 8')
    await run(`[...turn().querySelectorAll('.offers button')].at(-1).click()`)
    expect(await read(offers)).toEqual([])
    expect(await read('memories().length')).toBe(3)
  })

  test('a follow-up finds the subject of the question before; what the person said today is listed', async () => {
    await say('remember that my car is parked on level 3 of the Rathaus garage')
    await say('remember that Nora is vegan')
    await say('where is my car?')
    expect(await read('reply()')).toContain('level 3 of the Rathaus garage')
    await say('and since when?')
    expect(await read('reply()')).toMatch(/level 3 of the Rathaus garage.*I keep it since \d{4}-\d\d-\d\d\.$/s)
    await say('What did I tell you today?')
    expect(await read('reply()')).toContain('Nora is vegan')
    expect(await read('reply()')).toContain('level 3 of the Rathaus garage')
    await say('what do you know about Nora?')
    expect(await read('reply()')).toBe('This is what I remember of Nora:\n“Nora is vegan” 1')
  })

  test('[W3] the conversation is there after a reload, without what mentioned a forgotten record; “New chat” ends it', async () => {
    await say('remember that the locker is number 14')
    await say('Which locker?')
    await page().reload()
    await started()
    await waitFor('all(".turn").length === 2')
    expect(await read('reply()')).toContain('“the locker is number 14” 1')
    await say('forget the locker', 'one(".confirmation")')
    expect(await read('within(".reply").textContent')).toBe('Waiting for your answer.')
    await forgetIt()
    expect(await read('JSON.stringify({ ...localStorage })')).not.toContain('number 14')
    await page().reload()
    await started()
    expect(await read('all(".turn").length')).toBe(0)
    await say('hello')
    await run('one("#new-chat").click()')
    expect(await read('all(".turn").length')).toBe(0)
    await page().reload()
    await started()
    expect(await read('all(".turn").length')).toBe(0)
  })
})
