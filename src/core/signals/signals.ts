/**
 * The table of signals. A convex score is the sum of value × weight in this order [G3].
 */

import { cosine } from './cosine.ts'
import { freshness } from './freshness.ts'
import { access, confidence, decay } from './learned.ts'
import { lexical } from './lexical.ts'
import { linked } from './linked.ts'
import { meaning } from './meaning.ts'
import { pairs } from './pairs.ts'
import { paths } from './paths.ts'
import { preferKind, preferProject, preferTopic } from './prefer.ts'
import { reasons } from './reasons.ts'
import { recency } from './recency.ts'
import { recent } from './recent.ts'
import type { Signal } from './signal.ts'
import { terms } from './terms.ts'
import { time } from './time.ts'

export const signals: readonly Signal[] = [
  lexical,
  meaning,
  cosine,
  pairs,
  terms,
  paths,
  recent,
  time,
  preferProject,
  preferKind,
  preferTopic,
  recency,
  reasons,
  freshness,
  confidence,
  decay,
  access,
  linked,
]
