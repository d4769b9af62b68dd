/** Makes the home page: what Scrubjay is in ten seconds, one picture, then the README. */
import { parseMarkdown, renderTokens } from '../content/markdown.ts'
import type { PageContent } from './layout.ts'
import { readSource } from '../content/sources.ts'

const picture = 'docs/pictures/search.png'

export function homePage(): PageContent {
  const text = readSource({ file: 'README.md' })
  if (!text.includes(`](${picture})`))
    throw new Error(`README.md has no picture ${picture}, which the home page shows.`)
  const start = text.indexOf('## Install')
  if (start === -1) throw new Error('README.md has no heading “Install”, at which the home page continues.')
  const { html, headings } = renderTokens(parseMarkdown(text.slice(start)), 'README.md', '')
  return {
    path: 'index.html',
    title: 'Scrubjay: memory and search for the browser',
    description:
      'A recall engine for the browser. It finds what you stored, says why, and says so when nothing answers. Offline, without a language model.',
    shape: 'wide',
    headings,
    body: `${hero}<article class="prose">${html}</article>`,
  }
}

const hero = `<div class="hero">
<div class="pitch">
<h1>Find what belongs. See why. Or hear that nothing does.</h1>
<p class="lead">Scrubjay is a memory and search engine for web apps and agents. You put texts in, you ask a question, and it selects what belongs in the answer, with the reason for each record. If nothing answers, it says so.</p>
<p class="lead">It runs in the browser, offline, without a language model and without a server.</p>
<div class="pressables"><a class="button primary" href="demo.html">Try the demo</a><a class="button" href="playground.html">Open the playground</a><a class="button" href="docs/index.html">Read the docs</a></div>
<pre tabindex="0" role="region" aria-label="Install"><code>npm install scrubjay</code></pre>
</div>
<figure><a href="demo.html"><img src="${picture}" width="1200" height="760" alt="The demo: a question about a birthday dinner, the letter that answers it, and the older note that it replaced, struck through" /></a>
<figcaption>Two records disagree. The newer letter answers; the note that it replaced is struck through.</figcaption></figure>
</div>
<ul class="promises">
<li><h2>It gives reasons</h2><p>Each score is a sum of named parts. Ask <a href="playground.html">why a record is there</a>, or why one is missing.</p></li>
<li><h2>It can say “nothing”</h2><p>Evidence is absolute, not the best of a bad list. <a href="docs/benchmarks.html#nothing-here-answers-this-npm-run-quality-write">Measured on eleven sets</a>.</p></li>
<li><h2>It keeps what it acknowledged</h2><p>Tabs were killed, disks filled, and bytes damaged. <a href="docs/reliability.html">No acknowledged write was lost</a>.</p></li>
</ul>
`
