// JSONata: a functional query language; every evaluation is a promise.
import jsonata from 'jsonata';
import type { Engine, Evaluate } from '../engine.ts';

function compiled(source: string, options?: { timeout: number; stack: number }): Evaluate {
  const expression = jsonata(source, options);
  return (data) => expression.evaluate(data);
}

export const engine: Engine = {
  note: 'asynchronous; hostile programs with `timeout: 50, stack: 500`',
  expressions: {
    p1: 'result.price > 0',
    p2: '$count(result.rows) = depends.fetch.count',
    p3: '$count(result.rows) >= 10 ? true : "expected 10 rows, found " & $count(result.rows)',
    p4: '$reduce(result.items, function($sum, $item) { $sum + $item.price }, 0)',
  },
  compile: (source) => compiled(source),
  compileGuarded: (source) => compiled(source, { timeout: 50, stack: 500 }),
  hostile: {
    'endless loop': '($f := function() { $f() }; $f())',
    'endless recursion': '($f := function($n) { 1 + $f($n + 1) }; $f(0))',
    'huge range': '$sum([1..1000000000])',
    'nested loops':
      '$count(result.items.($a := $; $$.result.items.($b := $; $$.result.items.($c := $; $$.result.items.($a + $b + $c + $)))))',
    'string growth': '($f := function($s) { $f($s & $s) }; $f("aaaaaaaa"))',
    'list growth': '($f := function($s) { $f($append($s, $s)) }; $f([1]))',
    'nested data':
      '$string($reduce([1..20], function($v, $_) { {"a": $v, "b": $v, "c": $v, "d": $v, "e": $v, "f": $v, "g": $v, "h": $v, "i": $v, "j": $v} }, "x"))',
    'deep data':
      '($deep := function($n) { $reduce([1..$n], function($v, $_) { {"a": $v} }, {}) }; $deep(10000) = $deep(10000))',
    'deep source': `${'('.repeat(100_000)}1${')'.repeat(100_000)}`,
    'huge number': '9'.repeat(90_000),
    'wide format': '$pad("1", -999999999)',
    'regex backtracking': `$contains("${'a'.repeat(40)}", /(a+)+b/)`,
    'regex on long text': '$contains($reduce([1..19], function($s, $_) { $s & $s }, "a"), /\\w+\\d/)',
    'prototype reach': 'result.constructor.name',
  },
};
