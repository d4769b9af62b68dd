/** Starts what every page has: the search, and the list of pages, which is closed on narrow screens. */
import '../styles/index.css'
import { setUpSearch } from './search/search-dialog.ts'

const side = document.querySelector<HTMLDetailsElement>('details.side')
const wide = matchMedia('(min-width: 60rem)')
const fit = () => side?.toggleAttribute('open', wide.matches)
wide.addEventListener('change', fit)
fit()
// A long list: the current page should be in view.
if (wide.matches) side?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })

setUpSearch()
