;; Sequences: eager vectors out of anything that has elements.

(map inc [1 2 3])
;=> [2 3 4]

(map + [1 2] [10 20 30])
;=> [11 22]

(map str "ab" "cd")
;=> ["ac" "bd"]

(map first {:a 1})
;=> [:a]

(filter odd? #{1 2 3})
;=> [1 3]

(remove nil? [1 nil 2])
;=> [1 2]

(keep :a [{:a 1} {} {:a false}])
;=> [1 false]

(mapcat reverse [[3 2 1] [6 5 4]])
;=> [1 2 3 4 5 6]

(map-indexed vector "ab")
;=> [[0 "a"] [1 "b"]]

(keep-indexed (fn [i x] (when (even? i) x)) [:a :b :c])
;=> [:a :c]

(reduce + [])
;=> 0

(reduce + 10 [1 2])
;=> 13

(reduce (fn [a x] (if (> x 2) (reduced a) (+ a x))) 0 [1 2 3 4])
;=> 3

(reductions + [1 2 3])
;=> [1 3 6]

(reduce-kv (fn [m k v] (assoc m v k)) {} {:a 1})
;=> {1 :a}

(take 2 [1 2 3])
;=> [1 2]

(drop 5 [1 2 3])
;=> []

(take-while pos? [1 2 -1 3])
;=> [1 2]

(drop-while pos? [1 2 -1 3])
;=> [-1 3]

(take-last 2 [1 2 3])
;=> [2 3]

(drop-last [1 2 3])
;=> [1 2]

(take-nth 2 [1 2 3])
;=> [1 3]

(butlast [1])
;=> nil

(nthrest [1 2 3] 2)
;=> [3]

(next [1])
;=> nil

(seq "")
;=> nil

(split-at 1 [1 2 3])
;=> [[1] [2 3]]

(split-with even? [2 4 5 6])
;=> [[2 4] [5 6]]

(partition 2 [1 2 3])
;=> [[1 2]]

(partition 2 1 [1 2 3])
;=> [[1 2] [2 3]]

(partition 3 3 [:x] [1 2 3 4])
;=> [[1 2 3] [4 :x]]

(partition-all 2 [1 2 3])
;=> [[1 2] [3]]

(partition-by odd? [1 1 2 3])
;=> [[1 1] [2] [3]]

(interleave [1 2 3] [:a :b])
;=> [1 :a 2 :b]

(interpose :x [1 2 3])
;=> [1 :x 2 :x 3]

(distinct [1 2 1])
;=> [1 2]

(dedupe [1 1 2 1])
;=> [1 2 1]

(distinct? 1 2 1)
;=> false

(flatten [1 [2 [3 #{4}]] {:a 1}])
;=> [1 2 3 #{4} {:a 1}]

(concat [1] nil "ab" {:a 1})
;=> [1 "a" "b" [:a 1]]

(cons 1 nil)
;=> [1]

(conj [1] 2 3)
;=> [1 2 3]

(into [] {:a 1})
;=> [[:a 1]]

(into #{} [1 1 2])
;=> #{1 2}

(into {} [[:a 1] [:b 2]])
;=> {:a 1 :b 2}

(into {} [[1]])
;=> error type

(sort [3 1 2])
;=> [1 2 3]

(sort > [3 1 2])
;=> [3 2 1]

(sort [[2 1] [1 2]])
;=> [[1 2] [2 1]]

(sort-by :n [{:n 2} {:n 1}])
;=> [{:n 1} {:n 2}]

(sort-by count > ["a" "bbb" "cc"])
;=> ["bbb" "cc" "a"]

(sort ["a" 1])
;=> error type

(reverse "abc")
;=> ["c" "b" "a"]

(group-by odd? [1 2 3])
;=> {false [2] true [1 3]}

(frequencies "hello")
;=> {"e" 1 "h" 1 "l" 2 "o" 1}

(zipmap [:a :b] [1 2 3])
;=> {:a 1 :b 2}

(every? pos? [])
;=> true

(some #{3} [1 2 3])
;=> 3

(not-any? nil? [1])
;=> true

(apply max [3 1 4])
;=> 4

(apply + 1 2 [3])
;=> 6

(max-key count "a" "bb" "cc")
;=> "cc"

(tree-seq map? vals {:a {:b 1}})
;=> [{:a {:b 1}} {:b 1} 1]

(range 10 0 -3)
;=> [10 7 4 1]

(repeat 3 "a")
;=> ["a" "a" "a"]

;; What has no end can be taken from.

(take 3 (iterate #(* 2 %) 1))
;=> [1 2 4]

(take 2 (range 1 5 0))
;=> [1 1]

(map vector [:a :b] (range))
;=> [[:a 0] [:b 1]]

(second (cycle [1 2]))
;=> 2

(reduce + (range))
;=> error limit

(count (repeat 1))
;=> error limit
