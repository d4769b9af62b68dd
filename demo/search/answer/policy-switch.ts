/**
 * Lets the user choose the policy, with one radio button each, so that arrow keys and screen readers work as usual. The
 * address keeps the choice, like the question. One sentence describes the chosen policy.
 */
import { type PolicyName, policies } from 'scrubjay'
import { make, partById } from '../../shared/dom.ts'

export interface PolicySwitch {
  policy(): PolicyName
}

/** `changed` is called after the user chose another policy. */
export function createPolicySwitch(changed: () => void): PolicySwitch {
  let chosen = fromAddress()
  const sentence = make('p', { class: 'policy-cares quiet', id: 'policy-cares' }, cares[chosen])
  partById('policy').append(
    make(
      'div',
      { class: 'facet', role: 'radiogroup', 'aria-labelledby': 'policy-title', 'aria-describedby': 'policy-cares' },
      make('span', { class: 'facet-title', id: 'policy-title' }, 'Policy'),
      make('div', { class: 'policy-choices' }, ...names.flatMap(choice)),
    ),
    sentence,
  )

  return { policy: () => chosen }

  function choice(name: PolicyName): HTMLElement[] {
    const id = `policy-${name}`
    const change = () => {
      chosen = name
      sentence.textContent = cares[name]
      keepInAddress(name)
      changed()
    }
    return [
      make('input', { type: 'radio', class: 'hidden', name: 'policy', id, checked: name === chosen, change }),
      make('label', { class: 'button chip', for: id }, labels[name]),
    ]
  }
}

const names = Object.keys(policies) as readonly PolicyName[]

const labels: Readonly<Record<PolicyName, string>> = {
  balanced: 'Balanced',
  tokenpak: 'Words and recency',
  ctxsift: 'Coding agent',
  popoto: 'Habit',
  secondBrain: 'Meaning only',
}

const cares: Readonly<Record<PolicyName, string>> = {
  balanced: 'Ranks by words and meaning. Reasons and freshness adjust the score; superseded records are left out.',
  tokenpak: 'Adds up words, recency and the reasons stored with a record. Uses no vectors and ignores the status.',
  ctxsift:
    'Fuses six rankings; changed files lower the score. Returns strong answers, else one weak answer, else none.',
  popoto: 'Ranks all records by age and confidence. Words only decide whether anything is returned.',
  secondBrain: 'Ranks by meaning only. Scores fall with age and rise with importance.',
}

function fromAddress(): PolicyName {
  const asked = new URLSearchParams(location.search).get('policy')
  return names.find((name) => name === asked) ?? 'balanced'
}

function keepInAddress(name: PolicyName): void {
  const address = new URL(location.href)
  if (name === 'balanced') address.searchParams.delete('policy')
  else address.searchParams.set('policy', name)
  history.replaceState(null, '', address)
}
