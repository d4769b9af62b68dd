/**
 * Asks the authenticator for the secret of a passkey: the output of WebAuthn's extension PRF. Loaded when a lock is a passkey. Only this output goes to
 * the engine, and the page keeps it only as long as the store is open.
 */
import { type RecallError, recallError } from '../../core/model/errors.ts'
import type { PasskeyOptions } from '../../core/model/lock.ts'

/** `prf`: 32 bytes that only this authenticator gives, for this site. */
export interface AskedPasskey {
  readonly prf: Uint8Array<ArrayBuffer>
  readonly credentialId: string
}

/** Asks for a passkey that exists. Rejects with `INVALID_CONFIG` if the browser has no PRF, and with `ABORTED` if the person cancels. */
export async function askPasskey({ rpId, credentialId }: PasskeyOptions, field: string): Promise<AskedPasskey> {
  const allowed = credentialId === undefined ? [] : [{ type: 'public-key' as const, id: fromText(credentialId) }]
  const credential = await ask(field, (credentials) =>
    credentials.get({
      publicKey: {
        challenge: random(32),
        ...(rpId === undefined ? {} : { rpId }),
        ...(allowed.length === 0 ? {} : { allowCredentials: allowed }),
        userVerification: 'required',
        extensions,
      },
    }),
  )
  const prf = prfOf(credential)?.results?.first
  if (prf === undefined) throw withoutPrf(field)
  return { prf: toBytes(prf), credentialId: toText(credential.rawId) }
}

/** Makes a passkey, and asks for it once more where the authenticator gives nothing while it makes one. */
export async function createPasskey(options: PasskeyOptions, field: string): Promise<AskedPasskey> {
  const { rpId } = options
  const credential = await ask(field, (credentials) => {
    const { rpName = rpId ?? location.hostname, userName = rpName } = options
    return credentials.create({
      publicKey: {
        challenge: random(32),
        rp: { name: rpName, ...(rpId === undefined ? {} : { id: rpId }) },
        user: { id: random(16), name: userName, displayName: userName },
        // ES256, Ed25519, RS256: the signature is never used.
        pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: 'public-key' as const, alg })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        extensions,
      },
    })
  })
  const made = prfOf(credential)
  const credentialId = toText(credential.rawId)
  if (made?.results?.first !== undefined) return { prf: toBytes(made.results.first), credentialId }
  if (made?.enabled !== true) throw withoutPrf(field)
  return askPasskey({ ...options, credentialId }, field)
}

/** The same for all stores of a site: each lock derives its own key from the output. */
const extensions = {
  prf: { eval: { first: new TextEncoder().encode('scrubjay lock 1') } },
} as AuthenticationExtensionsClientInputs

interface PrfOutputs {
  readonly enabled?: boolean
  readonly results?: { readonly first?: BufferSource }
}

const prfOf = (credential: PublicKeyCredential) =>
  (credential.getClientExtensionResults() as { readonly prf?: PrfOutputs }).prf

async function ask(field: string, work: (credentials: CredentialsContainer) => Promise<Credential | null>) {
  const { navigator } = globalThis as { readonly navigator?: { readonly credentials?: CredentialsContainer } }
  if (navigator?.credentials === undefined || !('PublicKeyCredential' in globalThis)) throw withoutPrf(field)
  const credential = await work(navigator.credentials).catch((error: unknown) => {
    throw refused(error, field)
  })
  if (credential === null) throw refused(null, field)
  return credential as PublicKeyCredential
}

function refused(error: unknown, field: string): RecallError {
  const { name = '', message = '' } = (error ?? {}) as Partial<DOMException>
  if (name === 'SecurityError')
    return recallError('INVALID_CONFIG', `must be of this site, but the browser refused it: ${message}`, {
      field: `${field}.rpId`,
      hint: 'Leave it out, or give the domain of this page. Passkeys need HTTPS or localhost.',
    })
  if (name === 'NotSupportedError') return withoutPrf(field)
  return recallError('ABORTED', 'must be given by the person, but it was refused, or the time was over', {
    field,
    hint: 'Ask again when the person clicks, or open the store with another of its locks.',
  })
}

function withoutPrf(field: string): RecallError {
  return recallError('INVALID_CONFIG', 'must be absent: this browser or authenticator has no passkeys with PRF', {
    field,
    hint: 'Use another lock: a passphrase, a key or a recovery code.',
  })
}

function random(length: number): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(length))
}

function toBytes(given: BufferSource): Uint8Array<ArrayBuffer> {
  return ArrayBuffer.isView(given)
    ? Uint8Array.from(new Uint8Array(given.buffer, given.byteOffset, given.byteLength))
    : new Uint8Array(given)
}

/** As base64url. */
function toText(bytes: ArrayBuffer): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function fromText(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
}
