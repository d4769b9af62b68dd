import { ask } from '../../ask'
export const dynamic = 'force-dynamic'
export default async function Page() {
  return <pre id="answer">{JSON.stringify(await ask())}</pre>
}
