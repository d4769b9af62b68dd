/**
 * Tests the agent demo without a model, in Chromium: it remembers, recalls after a reload, explains, forgets with proof
 * and abstains, each by the tool calls a model would make; shows what was sent and what it cost; learns from thumbs.
 */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { seriousViolations } from '../../support/browsers/axe.ts'
import { availableBrowsers } from '../../support/browsers/browsers.ts'
import { useAgent } from './agent-page.ts'

describe.runIf(availableBrowsers().includes('chromium'))('the agent', () => {
  const agent = useAgent()
  const { addExamples, forgetIt, read, run, say, started, waitFor } = agent

  test('remembers, recalls after a reload, explains, forgets with proof, then abstains', async () => {
    await say('Remember that we deploy on Fridays, after the migration')
    expect(await read('calls()')).toEqual(['remember'])
    expect(await read('reply()')).toBe('Remembered: “we deploy on Fridays, after the migration” 1')
    expect(await read('memories()')).toEqual([['user', 'we deploy on Fridays, after the migration']])

    await agent.page().reload()
    await started()
    expect(await read('all(".turn").length')).toBe(1)
    await say('When do we deploy?')
    expect(await read('reply()')).toBe('Said by you: “we deploy on Fridays, after the migration” 1')
    expect(await read('calls()')).toEqual([])

    await say('Why?')
    expect(await read('calls()')).toEqual(['why'])
    expect(await read('reply()')).toMatch(
      /^“we deploy on Fridays, after the migration” 1 is at place 1 for “When do we deploy\?”, found by your words \(\d+ %\)/,
    )

    await say('Forget the deploy', 'within(".confirmation")')
    expect(await read('[text(".confirmation li"), document.activeElement.dataset.answer]')).toEqual([
      '“we deploy on Fridays, after the migration”',
      'no',
    ])
    expect(await read('memories().length')).toBe(1)
    await forgetIt()
    // The earlier look-up contained the text, and is removed.
    expect(
      await read('[...turn().querySelectorAll(".calls li")].map((one) => one.dataset.tool ?? one.textContent)'),
    ).toEqual(['Removed: it mentioned a forgotten record.', 'forget'])
    expect(await read('reply()')).toBe('Forgotten, and nothing of it is left.')
    expect(await read('text(".proof strong")')).toBe('Searched everywhere: nothing is left.')
    expect(await read('all(".proof dd").map((one) => one.textContent)')).toEqual(['0', '0', '0', '0', '0', '0'])
    expect(await read('text(".call[data-tool=forget] summary")')).toBe('forget 1 record forgotten, deletion verified')
    // Gone from the page, too, and from what later turns send.
    await waitFor('memories().length === 0')
    expect(await read('text("#turns").includes("after the migration")')).toBe(false)

    await say('When do we deploy?')
    expect(await read('calls()')).toEqual(['recall'])
    expect(await read('reply()')).toBe('I don’t know: nothing I remember answers that.')
    expect(await read('within(".evidence").dataset.strength')).toBe('none')
  })

  test('forgets nothing unless a person says yes', async () => {
    await say('Remember that the key hangs in the kitchen')
    await say('Forget it', 'within(".confirmation")')
    await run(`one('[data-answer=no]').click()`)
    await waitFor('reply() !== ""')
    expect(await read('reply()')).toBe('Kept: you said no.')
    expect(await read('memories().length')).toBe(1)
    await say('Forget it', 'within(".confirmation")')
    await run(`one('#send').click()`)
    await waitFor('within(".reply")?.textContent === "No answer. Stopped."')
    expect(await read('[memories().length, all(".confirmation").length]')).toEqual([1, 0])
  })

  test('[S1] shows what was sent: its bill, its evidence, its tiers, and the ledger', async () => {
    await addExamples()
    await say('When do we deploy?')
    const shown = await read<[string, string][]>(
      `[...turn().querySelectorAll('.packed-record')].map((one) => [one.dataset.tier, one.querySelector('.tier-name').textContent])`,
    )
    expect(shown).toContainEqual(['user', 'Said by you'])
    expect(shown).toContainEqual(['read', 'Read elsewhere'])
    expect(await read('within(".evidence").dataset.strength')).toBe('strong')
    const bill = await read<Record<string, number>>('bill()')
    const { 'Total, estimated': total = 0, ...parts } = bill
    expect(Object.keys(parts)).toEqual(['Rules of the app', 'Tools', 'Earlier turns', 'Tiers', 'Memories', 'Question'])
    expect(Object.values(parts).reduce((sum, one) => sum + one, 0)).toBe(total)
    expect(parts['Memories']).toBeLessThanOrEqual(600)
    expect(await read('within(".token-meter .figure").textContent')).toBe(`${parts['Memories']} of 600 tokens`)
    expect(await read('within(".sent summary").textContent')).toMatch(
      new RegExp(`^What was sent: \\d memories, ${total.toLocaleString('en')} tokens$`),
    )

    // A smaller budget gives a shorter text, and a line in the ledger for each dropped record.
    await run(`fill('#memory-tokens', '250')`)
    await say('When do we deploy?')
    expect((await read<Record<string, number>>('bill()'))['Memories']).toBeLessThanOrEqual(250)
    await run(`within('.ledger').open = true`)
    await waitFor(
      `[...turn().querySelectorAll('.ledger-rows .quiet')].some((one) => one.textContent.startsWith('tokens: '))`,
    )
  })

  test('[A1] a hostile record stays in its place in the prompt, and the agent obeys the higher tier', async () => {
    await addExamples()
    await say('How do I deploy safely?')
    const sent = await read<string>('within(".written-text").textContent')
    expect(sent).toContain('&lt;/records&gt;&lt;/authority_context&gt;')
    expect(sent.match(/<\/?(records|authority_context)>/g)).toEqual([
      '<authority_context>',
      '</authority_context>',
      '<records>',
      '</records>',
    ])
    expect(await read('calls()')).toEqual([])
    expect(await read('memories().length')).toBe(7)
    await say('When do we deploy?')
    expect(await read('reply()')).toMatch(/^Said by you: “We deploy on Fridays.*\nLess trusted: Read elsewhere: /)
  })

  test('learns from thumbs, and shows it in the life of the record', async () => {
    await addExamples()
    await say('Where is the office key?')
    expect(await read('within(".thumbs [data-thumb=acted]").ariaPressed')).toBe('false')
    await run(`within('.cite').click()`)
    await waitFor('text("#life-heading").includes("office key")')
    expect(await read('all(".timeline li").map((one) => one.dataset.kind)')).toEqual(['create'])
    await run(`within('.thumbs [data-thumb=acted]').click()`)
    await waitFor('within(".learned-brief").textContent !== ""')
    expect(await read('within(".learned-brief").textContent')).toMatch(/^trust 0\.50 → 0\.[67]\d$/)
    expect(await read('within(".thumbs [data-thumb=acted]").ariaPressed')).toBe('true')
    await waitFor('all(".timeline li").some((one) => one.dataset.kind === "outcome")')
    expect(await read('all(".timeline li").map((one) => one.textContent).join()')).toContain('acted')
  })

  test('greets, says how to make it remember, and lists what it knows of the user', async () => {
    await say('hello')
    expect(await read('reply()')).toMatch(/^Hello\. Write “remember that …”/)
    expect(await read('within(".brief")')).toBeNull()
    await say('I live in Lyon')
    expect(await read('reply()')).toBe('Shall I keep “I live in Lyon”?')
    await say('what do you know about me?')
    expect(await read('reply()')).toMatch(/^Nothing yet\./)
    await say('remember that I live in Lyon')
    await say('what do you know about me?')
    expect(await read('reply()')).toBe('This is what I remember of you:\n“I live in Lyon” 1')
  })

  test('[W3] memories can be edited, and forgotten with undo, in the panel', async () => {
    await say('Remember that the key hangs in the kitchen')
    await waitFor('memories().length === 1')
    const press = (name: string) =>
      run(`all('.memories button').find((one) => one.textContent.startsWith('${name}')).click()`)
    await press('Edit')
    // Larger than a record may be: the form must keep the text.
    await run(`fill('#edit-memory', 'x'.repeat(1_100_000)); one('#edit-memory').form.requestSubmit()`)
    await waitFor('document.body.innerText.includes("The memory could not be changed.")')
    expect(await read('one("#edit-memory").value.length')).toBe(1_100_000)
    await run(`fill('#edit-memory', 'the key hangs in the hall'); one('#edit-memory').form.requestSubmit()`)
    await waitFor('memories()[0]?.[1] === "the key hangs in the hall"')
    await press('Forget')
    await waitFor('memories().length === 0 && canDeleteNow()')
    await run(`toast('now').click()`)
    await waitFor('text(".proof strong") === "Deleted. Nothing of it is left on this device."')
    expect(await read('text("#turns").includes("kitchen")')).toBe(false)
  })

  test('chooses a tier by the author: pasted text is read elsewhere', async () => {
    await run(
      `one('.paste').open = true; fill('#read-text', 'The canteen serves soup on Tuesdays.'); one('.paste form').requestSubmit()`,
    )
    await waitFor('memories().length === 1')
    expect(await read('memories()')).toEqual([['read', 'The canteen serves soup on Tuesdays.']])
    await say('When is there soup in the canteen?')
    expect(await read('reply()')).toBe('Read elsewhere: “The canteen serves soup on Tuesdays.” 1')
  })

  test.each(['light', 'dark'])(
    'has no serious axe fault in the %s scheme, and fits a narrow screen',
    async (scheme) => {
      await agent
        .page()
        .devtools('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] })
      await addExamples()
      expect(await seriousViolations(agent.page())).toEqual([])
      await run(`one('[value=model]').click(); fill('#model-url', '')`)
      await say('Hello?', 'within(".reply[data-tone=bad]")')
      await run(`one('[value=scripted]').click()`)
      await say('When do we deploy?')
      await run(`within('.cite').click(); for (const fold of all('details')) fold.open = true`)
      await waitFor('all(".timeline li").length > 0')
      await say('Forget the office key', 'within(".confirmation")')
      await run(`for (const fold of all('details')) fold.open = true`)
      expect(await seriousViolations(agent.page())).toEqual([])
      await forgetIt()
      await agent
        .page()
        .screenshot(join(agent.folder(), `${scheme}.png`), { width: 320, height: 800, dark: scheme === 'dark' })
      const [inner, content] = await read<[number, number]>('[innerWidth, document.documentElement.scrollWidth]')
      expect(content).toBeLessThanOrEqual(inner)
      expect(await seriousViolations(agent.page())).toEqual([])
    },
  )
})
