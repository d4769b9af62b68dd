/** Makes the page with the search demo in a frame. */
import type { PageContent } from './layout.ts'

export const demoPage: PageContent = {
  path: 'demo.html',
  title: 'Demo · Scrubjay',
  description: 'Ask one year of an invented person: the answer, its reason, or “nothing here”.',
  shape: 'wide',
  body: `<div class="framed"><h1>The demo</h1>
<p>One year of Mira, who does not exist: notes, letters, chats, trips. Press a card, or ask your own question. <a href="demo/index.html">Open it in a page of its own</a> to add your files.</p>
<iframe src="demo/index.html" title="The search demo"></iframe></div>`,
}
