import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ExtractedKind, extractTerms } from '../../../src/core/text/extract/extract.ts'

const ofKind = (kind: ExtractedKind, text: string) =>
  extractTerms(text).flatMap((found) => (found.kind === kind ? [found.term] : []))

/** text → exactly these terms of the kind */
type Cases = Record<string, readonly string[]>

const paths: Cases = {
  'see src/core/text/stem.ts and README.md.': ['src/core/text/stem.ts', 'README.md'],
  'src/a.ts:10:5: error, then (lib/b.rs:42) and [web/c.tsx:7]': ['src/a.ts', 'lib/b.rs', 'web/c.tsx'],
  'src/app.ts(12,5): error TS2307': ['src/app.ts'],
  'C:\\work\\My.App\\main.cs:12 and .\\lib\\x.dll ..\\y\\z.py': ['C:/work/My.App/main.cs', './lib/x.dll', '../y/z.py'],
  'open "my notes/to do list.md" now': ['my notes/to do list.md'],
  "'C:/Program Files/App/config.json:3'": ['C:/Program Files/App/config.json'],
  '"plan b.txt" [a.ts] [b/c.js:1]: bundle.js.map': ['plan b.txt', 'a.ts', 'b/c.js', 'bundle.js.map'],
  '"I opened main.py"': ['main.py'],
  '"cat src/a.py" and "node b.js --watch c.js"': ['src/a.py', 'b.js', 'c.js'],
  'https://example.com/app/main.js http://x.io/a.py www.a.com/b.html ws://h/c.ts': [],
  'at load (file:///app/src/x.js:10:5) file:///C:/y/z.mjs': ['/app/src/x.js', 'C:/y/z.mjs'],
  'File "/usr/lib/python3/site.py", line 3, in main': ['/usr/lib/python3/site.py'],
  'tests/test_a.py::TestX::test_y[1]': ['tests/test_a.py'],
  'at com.foo.Bar.baz(Bar.java:42)': ['Bar.java'],
  '\t/go/src/app/server.go:42 +0x1d': ['/go/src/app/server.go'],
  'app/[id]/page.tsx, @app/x.vue, ~/notes.md, ./a.sh': ['app/[id]/page.tsx', '@app/x.vue', '~/notes.md', './a.sh'],
  '--config=vite.config.ts -f docker-compose.yml': ['vite.config.ts', 'docker-compose.yml'],
  'Makefile, deploy/Dockerfile, .env and .gitignore': ['Makefile', 'deploy/Dockerfile', '.env', '.gitignore'],
  'Node.js, console.log(x), Math.log, process.env, v1.2.3, e.g. this. And i.e. that; room.Go t.i.d "as .zip"': [],
  'user.go(1) foo.map(x) app.rs(y)': ['user.go'],
  'ärger/größe.py 文書/設計.md': ['ärger/größe.py', '文書/設計.md'],
  'import x from "./util/a.js"': ['./util/a.js'],
  "don't touch a.py, it's b.py's twin": ['a.py', 'b.py'],
}

const frames: Cases = {
  'Traceback:\n  File "app.py", line 3, in load_user\n  File "app.py", line 9, in <module>': ['load_user'],
  'Error: x\n    at Object.load (/a/b.js:1:2)\n    at async Foo.bar (file:///c.mjs:3:4)\n    at new Baz (d.js:1:1)\n    at /e.js:1:2':
    ['Object.load', 'Foo.bar', 'Baz'],
  '    at Foo.get [as value] (a.js:1:2)\n    at <anonymous> (b.js:1:1)': ['Foo.get'],
  'java.lang.X\n\tat com.foo.Bar.baz(Bar.java:42)\n\tat java.base/java.util.Map.get(Map.java:9)\n\tat a.B.<init>(Native Method)':
    ['com.foo.Bar.baz', 'java.util.Map.get', 'a.B.<init>'],
  'load@https://a.example/a.js:1:2\nFoo.prototype.x@http://b/c.js:3:4': ['load', 'Foo.prototype.x'],
  '   3: core::panicking::panic\n             at /rustc/lib/panicking.rs:50:5\n   4: app::run::h0123456789abcdef\n             at ./src/main.rs:3':
    ['core::panicking::panic', 'app::run'],
  'goroutine 1 [running]:\nmain.(*Server).Handle(0xc000, 0x1)\n\t/a/server.go:42 +0x1d\nmain.main()\n\t/a/main.go:9 +0x2':
    ['main.(*Server).Handle', 'main.main'],
  '1: apples\n2: pears\nlook at me (now)': [],
}

const tests: Cases = {
  'FAILED tests/test_a.py::TestX::test_y[1-b c] - assert': ['tests/test_a.py::TestX::test_y[1-b c]', 'test_y'],
  ' FAIL  test/unit/stem.test.ts > stem > leaves short words alone 12ms': [
    'test/unit/stem.test.ts > stem > leaves short words alone',
  ],
  '  ● cart › adds up (5 ms)\n\n  ● Console': ['cart › adds up'],
  '--- FAIL: TestParse/empty_input (0.00s)\nfunc BenchmarkX(b': ['TestParse/empty_input', 'TestParse', 'BenchmarkX'],
  'test net::tests::it_works ... FAILED\n---- net::tests::drops stdout ----': [
    'net::tests::it_works',
    'net::tests::drops',
  ],
  'test plain_name ... ok': ['plain_name'],
  '[ERROR] com.foo.BarTest.testBaz:42 expected\nBarTest#quux': ['com.foo.BarTest.testBaz', 'BarTest#quux'],
  'testBaz(com.foo.BarTest)  Time: 1\nBarTest > adds() FAILED': ['com.foo.BarTest.testBaz', 'BarTest.adds'],
  'def test_login(client): # test_data.json TestCase Testing': ['test_login'],
}

const symbols: Cases = {
  'raise ValueError("x") and java.lang.NullPointerException; DeprecationWarning': [
    'ValueError',
    'java.lang.NullPointerException',
    'NullPointerException',
    'DeprecationWarning',
  ],
  'call parseConfig() or load_all(x, y) then np.array(z)': ['parseConfig', 'load_all', 'np.array'],
  'the file(s), if (x), while(true), f(x) print("a")': [],
  'std::vec::Vec::new and Array.prototype.map, os.path.join, Foo#bar': [
    'std::vec::Vec::new',
    'Array.prototype.map',
    'os.path.join',
    'Foo#bar',
  ],
  'see example.com, www.site.co.uk, a@b.c.org, main.py, e.g. this, https://x.y.zed/a.b.c': [],
  'error TS2307: x. TS7006, error[E0308]: y': ['TS2307', 'TS7006', 'E0308'],
  "  3:7  error  'x' is never used  no-unused-vars\n  4:1  warning  Odd  my-plugin/odd-rule": [
    'no-unused-vars',
    'my-plugin/odd-rule',
  ],
  'eslint-disable-next-line @typescript-eslint/no-explicit-any, react-hooks/exhaustive-deps, eqeqeq': [
    '@typescript-eslint/no-explicit-any',
    'react-hooks/exhaustive-deps',
    'eqeqeq',
  ],
  'no-one, no-longer, well-known, tests/test_a.py::TestX': [],
  'TypeError: Promise.all failed. Then it stopped': ['TypeError', 'Promise.all'],
}

const packages: Cases = {
  "ModuleNotFoundError: No module named 'google.cloud'": ['google.cloud'],
  "Error: Cannot find module 'lodash/fp'\nCannot find module './local' Cannot find module '@/alias/x'": ['lodash'],
  'Could not resolve "react-dom/client" Failed to resolve import "vue" from "a.ts" Can\'t resolve \'@scope/a/b\'': [
    'react-dom',
    'vue',
    '@scope/a',
  ],
  "can't find crate for `serde_json`\n   Compiling tokio-util v0.7.1\nuse of undeclared crate or module `rand`": [
    'serde_json',
    'tokio-util',
    'rand',
  ],
  'use @babel/core and @types/node@20, not me@x.org/y nor @param': ['@babel/core', '@types/node'],
  '@typescript-eslint/parser and @typescript-eslint/no-explicit-any': ['@typescript-eslint/parser'],
  'npm install -D vite@8 @vitejs/plugin-vue\npip install requests==2.1 flask[async]': [
    'vite',
    '@vitejs/plugin-vue',
    'requests',
    'flask',
  ],
  'at x (/app/node_modules/express/lib/router.js:1:2)': ['express'],
  'no required module provides package github.com/gin-gonic/gin; to add it': ['github.com/gin-gonic/gin'],
  'unresolved import `crate::a`, unresolved import `std`': [],
}

const commands: Cases = {
  '$ npm run build -- --watch\nme@host:~/app$ ls -la  ': ['npm run build -- --watch', 'ls -la'],
  'Run `git rebase -i HEAD~3` or `const x = 1` or `pytest`': ['git rebase -i HEAD~3', 'pytest'],
  'cargo test --workspace\npython manage.py migrate\nFOO=1 node a.js\nsudo apt-get update': [
    'cargo test --workspace',
    'python manage.py migrate',
    'FOO=1 node a.js',
    'sudo apt-get update',
  ],
  'make sure that it works\ngo to the shop\ngit is great\nnode is fast\nflask app crashed\nfind the file\ngit push fails when offline':
    [],
  'costs 100% of it\n5 $ more': [],
}

describe.each(
  Object.entries({
    path: paths,
    frame: frames,
    test: tests,
    symbol: symbols,
    package: packages,
    command: commands,
  }) as [ExtractedKind, Cases][],
)('extractTerms: %s', (kind, cases) => {
  it.each(Object.entries(cases))('%s', (text, terms) => {
    expect(ofKind(kind, text)).toEqual(terms)
  })
})

describe('extractTerms', () => {
  it('returns distinct terms in order of first appearance, at most 256', () => {
    expect(extractTerms('b.ts a.ts b.ts parse() a.ts')).toEqual([
      { term: 'b.ts', kind: 'path' },
      { term: 'a.ts', kind: 'path' },
      { term: 'parse', kind: 'symbol' },
    ])
    const many = extractTerms(Array.from({ length: 400 }, (_, n) => `f${n}() d/${n}.ts`).join(' '))
    expect(many).toHaveLength(256)
    expect(many.slice(-2)).toEqual([
      { term: 'f127', kind: 'symbol' },
      { term: 'd/127.ts', kind: 'path' },
    ])
    expect(extractTerms('')).toEqual([])
  })

  const hostile = [
    'a',
    'a.',
    'a:',
    '::',
    'a::',
    '/',
    'a/',
    '\\',
    '"',
    "'",
    '`',
    '" ',
    '(',
    'a(',
    ')',
    '.py::',
    'a.py::',
    ' > ',
    'a.test.ts > ',
    '@',
    '@a/',
    '@a',
    '-',
    'a-',
    ' ',
    '\n',
    '\t',
    '\n\t',
    ' \n',
    '$ ',
    '`a',
    '1: a\n',
    'at a',
    'at ',
    '   at a (',
    '\n1:1 error ',
    'Test',
    'TestA/',
    'test_',
    'npm i ',
    'npm install a ',
    ' -',
    'File "',
    'node_modules/',
    'A.',
    'aTest.',
    'x(A.',
    '{',
    '[',
    '[a',
    '=',
    '#',
    'http://',
    'file://',
    ':1',
    'a.ts:1',
    '●',
    '● a › ',
    'resolve "',
    '🤔',
    '\ud800',
  ]
  it('finds only terms that are in the text', () => {
    const parts = fc.constantFrom(
      ...hostile,
      ...Object.keys(paths),
      ...Object.keys(tests),
      ...Object.keys(symbols),
      ...Object.keys(packages),
    )
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 8 }), (pieces) => {
        const text = pieces.join('')
        for (const { term, kind } of extractTerms(text)) {
          expect(term).toBe(term.trim())
          expect(term).not.toBe('')
          // JUnit's ids are put together from two places.
          if (kind !== 'test') expect(text.replaceAll('\\', '/')).toContain(term.replaceAll('\\', '/'))
        }
      }),
      { seed: 50, numRuns: 500 },
    )
  })
})
