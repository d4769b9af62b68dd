import { describe, expect, it } from 'vitest'
import { estimateTokens } from '../../../src/core/text/tokens/token-count.ts'

/** The project's own texts with their cl100k counts (gpt-tokenizer and js-tiktoken agree on each). */
const samples: Record<string, { tokens: number; text: string }> = {
  english: {
    tokens: 53,
    text: 'The jay remembers what it hid, where it hid it, and how long ago; a worm that has gone bad is left in the ground while a nut is dug up weeks later. We asked whether a program could choose among its notes in the same way.',
  },
  chat: {
    tokens: 48,
    text: "hey!! did u see the email from Dana? she's moving the offsite to Thursday, 3:30pm... I can't make it, I've got Leo's recital. could you bring the slides? thx :)",
  },
  technical: {
    tokens: 62,
    text: 'Reciprocal rank fusion adds 1/(k + rank) over the channels. With k = 60 and two lists, a document ranked first in both scores 2/61 = 0.0328, and one found by a single channel at rank 50 scores 0.0091.',
  },
  typescript: {
    tokens: 78,
    text: `export function decayScore({ importance, ageDays, rate = 0.1 }: DecayInput): number {
  // A future timestamp counts as age zero.
  const age = Math.max(0, ageDays)
  if (!Number.isFinite(importance)) throw new RangeError(\`importance \${importance}\`)
  return importance * pow(1 + age, -rate)
}
`,
  },
  python: {
    tokens: 96,
    text: `class NoteStore:
    def __init__(self, path: str, *, read_only=False):
        self._path = path
        self._rows = {}

    def find_by_tag(self, tag):
        """Yield notes that carry the tag, newest first."""
        for key, row in sorted(self._rows.items(), key=lambda kv: -kv[1].created_at):
            if tag in row.tags and not row.deleted:
                yield key, row
`,
  },
  json: {
    tokens: 78,
    text: '{\n  "id": "note-0042",\n  "tags": ["garden", "autumn"],\n  "importance": 0.75,\n  "createdAt": 1731456000000,\n  "files": [{ "path": "notes/2024/autumn.md", "existed": true }],\n  "supersededBy": null\n}\n',
  },
  trace: {
    tokens: 67,
    text: `TypeError: Cannot read properties of undefined (reading 'rowid')
    at hydrateHits (/srv/app/worker/operations/recall.ts:118:24)
    at async Engine.recall (/srv/app/worker/engine.ts:64:18)
 FAIL  test/unit/recall.test.ts > recall > keeps the order of ties`,
  },
  markdown: {
    tokens: 70,
    text: `# Setting up

1. Install the package: \`npm install scrubjay\`
2. Open a store:

| option | default | meaning |
|---|---|---|
| storage | auto | where records live |
| index | auto | exact or hnsw |

> **Note**: a named storage that is not available is an error.
`,
  },
  chinese: {
    tokens: 89,
    text: '松鸦会记住自己把食物藏在哪里、藏了什么，以及是什么时候藏的。我们想知道，一个程序能不能用同样的方法，从成千上万条笔记里挑出现在最有用的那几条，并且说明理由。',
  },
  traditional: {
    tokens: 102,
    text: '研究人員發現，鳥類能夠記得儲藏食物的地點與時間。這項實驗證明了動物也具有類似人類的情節記憶，並且會依照食物的新鮮程度決定先取用哪一份。',
  },
  japanese: {
    tokens: 88,
    text: 'カケスは、どこに何をいつ隠したかを覚えています。このプログラムも同じように、たくさんのメモの中から今いちばん役に立つものを選び、その理由を説明します。ブラウザーの中だけで動きます。',
  },
  korean: {
    tokens: 84,
    text: '어치는 먹이를 어디에, 무엇을, 언제 숨겼는지 기억한다. 우리는 프로그램도 같은 방식으로 수많은 기록 가운데 지금 가장 쓸모 있는 것을 고를 수 있는지 알고 싶었다.',
  },
  mixed: {
    tokens: 64,
    text: '修复 parseConfig() 在 Windows 路径上的错误：`src\\config\\load.ts:42` 没有处理反斜杠，导致 TypeError。已在 v2.3.1 中解决，测试覆盖率 97%。',
  },
}

const rareWords = {
  tokens: 58,
  text: 'Hippocampal lesions impaired cache-recovery accuracy in food-storing corvids (n = 24, p < 0.001), whereas hyperpallial lesions did not; immunohistochemistry showed elevated neurogenesis in the caudal hippocampus during autumn.',
}

describe('estimateTokens', () => {
  it.each(Object.entries(samples))('[S1] is within 15 %% of cl100k: %s', (_name, { tokens, text }) => {
    expect(estimateTokens(text) / tokens).toBeGreaterThan(0.85)
    expect(estimateTokens(text) / tokens).toBeLessThan(1.15)
  })

  it('[S1] is within 25 % where every word is rare', () => {
    expect(estimateTokens(rareWords.text) / rareWords.tokens).toBeGreaterThan(0.75)
  })

  it('is closer than a quarter of the characters', () => {
    const all = Object.values(samples)
    const error = (count: (text: string) => number) =>
      all.reduce((sum, { tokens, text }) => sum + Math.abs(count(text) / tokens - 1), 0) / all.length
    expect(error(estimateTokens)).toBeLessThan(0.05)
    expect(error((text) => text.length / 4)).toBeGreaterThan(0.25)
  })

  it('counts an empty text as 0 and any other as at least 1', () => {
    expect(estimateTokens('')).toBe(0)
    for (const text of ['a', ' ', '\n', '😀', '\ud800', '東', '.']) {
      expect(estimateTokens(text)).toBeGreaterThanOrEqual(1)
      expect(Number.isInteger(estimateTokens(text))).toBe(true)
    }
  })
})
