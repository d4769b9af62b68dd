/** Tests that `list` and `facets` find versions, numbers, paths and addresses as recall does: a record with the whole has its parts, however it writes them. */
import { describe, expect, test } from 'vitest'
import { openEngine } from '../../../support/stores/open-engine.ts'

const notes = [
  ['v', 'Released v10.4.0 today'],
  ['plain', 'Released 10.4.1 today'],
  ['parts', '4 of 10: 1 open, 0 closed'],
  ['ip', 'The second name server is 8.8.4.4'],
  ['ip2', '8.8.8.8 and 4.4.4.4'],
  ['path', 'run sudo /usr/sbin/arp and paste'],
  ['path2', 'arp of usr and sbin'],
  ['windows', 'C:\\Users\\anna\\notes.txt'],
  ['url', 'see https://help.ubuntu.com/community/CheckInstall for more'],
  ['url2', 'help community of ubuntu com CheckInstall'],
  ['short', 'docs at help.example.com/x'],
  ['package', 'install gnome-display-properties now'],
  ['package2', 'properties display of gnome'],
  ['mail', 'send an e-mail'],
  ['mail2', 'send email'],
  ['price', 'costs 1,299.99 euros'],
  ['price2', '299 and 1 and 99'],
  ['time', 'doors open at 14:30'],
  ['time2', '30 guests, 14 chairs'],
  ['protocol', 'http headers of node.js'],
] as const

const { call } = await openEngine()
await call('put', { batch: notes.map(([id, body]) => ({ id, body })) })
const listed = async (text: string) => (await call('list', { filter: { text } })).items.map(({ id }) => id).sort()

describe.each([
  ['v10.4.1', ['plain']],
  ['10.4.1', ['plain']],
  ['10.4.0', ['v']],
  ['v10.4.0', ['v']],
  ['released v10.4.1', ['plain']],
  ['10.4', ['plain', 'v']],
  ['8.8.4.4', ['ip']],
  ['/usr/sbin/arp', ['path']],
  ['C:/Users/anna/notes.txt', ['windows']],
  ['https://help.ubuntu.com/community/CheckInstall', ['url']],
  ['help.ubuntu.com/community', ['url']],
  ['https://help.example.com/x', ['short']],
  ['www.help.example.com/x', ['short']],
  ['gnome-display-properties', ['package']],
  ['e-mail', ['mail', 'mail2']],
  ['email', ['mail', 'mail2']],
  ['1299.99', ['price']],
  ['1,299.99', ['price']],
  ['2:30 pm', ['time']],
] as const)('%s', (text, ids) => {
  test('is listed and counted', async () => {
    expect(await listed(text)).toEqual(ids)
    expect((await call('facets', { request: { keys: ['kind'], text } })).matched).toBe(ids.length)
  })

  test('is found first by recall, too', async () => {
    const { hits } = await call('recall', { query: { text, times: 'off' } })
    expect(ids).toContain(hits[0]!.id)
  })
})

test('control: a version that no record has, and parts in other places, are not listed', async () => {
  expect(await listed('v10.9.9')).toEqual([])
  expect(await listed('8.4.8.4')).toEqual([])
  expect(await listed('released v10.4.1 yesterday')).toEqual([])
})

test('control: outside of an address, http is a word like others', async () => {
  expect(await listed('http node.js')).toEqual(['protocol'])
  expect(await listed('http 10.4.1')).toEqual([])
})
