import { Notes } from './notes'
export default function Page() {
  return <Notes />
}
