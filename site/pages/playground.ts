/** Makes the page of the playground; site/client/playground fills it. */
import type { PageContent } from './layout.ts'

export const playgroundPage: PageContent = {
  path: 'playground.html',
  title: 'Playground · Scrubjay',
  description:
    'Change records and policy as text, ask, and see the answer change at once, with the reasons of each score.',
  shape: 'wide',
  scripts: ['playground'],
  body: `<div class="playground">
<h1>Playground</h1>
<p class="quiet">Change the records or the policy: the answer follows at once. All of it stays in this page.</p>
<form class="asking" id="asking" role="search">
<label for="question">Question</label>
<input id="question" type="search" autocomplete="off" spellcheck="false" enterkeyhint="search" />
<button type="button" id="share">Copy link</button>
<button type="button" id="reset">Start again</button>
</form>
<div class="columns">
<section class="answer" aria-labelledby="answer-heading"><h2 id="answer-heading">Answer</h2><div id="answer"><p class="quiet">Starting the engine …</p></div></section>
<section class="editing" aria-labelledby="policy-heading"><div class="editing-head"><h2 id="policy-heading">Policy</h2><label class="hidden" for="start-from">Start from</label><select id="start-from"></select></div><div id="policy"></div></section>
<section class="editing" aria-labelledby="records-heading"><div class="editing-head"><h2 id="records-heading">Records</h2></div><div id="records"></div></section>
</div>
<noscript><p class="notice">The playground needs JavaScript. Switch it on, then reload.</p></noscript>
</div>`,
}
