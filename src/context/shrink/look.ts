// The way down: how a view of a map or list comes by the views of what is inside it.
import type { Json } from '../../base/json.ts';
import type { Guide } from './guide.ts';
import type { View } from './view.ts';

export type Look = (value: Json, guide: Guide) => View;
