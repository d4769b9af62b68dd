const deps = { inline: ['scrubjay'] }

export default {
  test: {
    projects: [
      { test: { name: 'jsdom', environment: 'jsdom' } },
      { test: { name: 'happy-dom', environment: 'happy-dom' } },
      { test: { name: 'jsdom-inline', environment: 'jsdom', server: { deps } } },
      { test: { name: 'happy-dom-inline', environment: 'happy-dom', server: { deps } } },
    ],
  },
}
