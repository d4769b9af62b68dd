import { ask } from '../../../ask'
export const dynamic = 'force-dynamic'
export async function GET() {
  return Response.json(await ask())
}
