;; Maps, sets, nested data, and the words for data work.

(assoc {:a 1} :b 2)
;=> {:a 1 :b 2}

(assoc [1 2] 2 3)
;=> [1 2 3]

(assoc [1 2] 5 3)
;=> error type

(assoc {} :a)
;=> error arity

(assoc-in {} [:a :b] 1)
;=> {:a {:b 1}}

(update {:n 1} :n + 5)
;=> {:n 6}

(update-in {:a [1 2]} [:a 1] inc)
;=> {:a [1 3]}

(dissoc {:a 1 :b 2} :a :c)
;=> {:b 2}

(merge {:a 1} nil {:b 2} {:a 3})
;=> {:a 3 :b 2}

(merge nil nil)
;=> nil

(merge-with + {:a 1} {:a 2 :b 3})
;=> {:a 3 :b 3}

(select-keys {:a nil :b 1} [:a :c])
;=> {:a nil}

(update-vals {:a 1} inc)
;=> {:a 2}

(update-keys {:a 1} name)
;=> {"a" 1}

(keys (sorted-map :b 1 :a 2))
;=> [:a :b]

(vec (sorted-set-by > 1 3 2))
;=> [3 2 1]

(assoc (sorted-map 2 :b) 1 :a)
;=> {1 :a 2 :b}

(subseq (sorted-set 1 2 3 4) >= 2 < 4)
;=> [2 3]

(conj {:a 1} [:b 2] {:c 3})
;=> {:a 1 :b 2 :c 3}

(conj #{1} 1 2)
;=> #{1 2}

(disj #{1 2} 1)
;=> #{2}

(peek [1 2])
;=> 2

(pop [])
;=> error type

(subvec [1 2 3] 1)
;=> [2 3]

(= {:a [1 #{2}]} {:a [1 #{2}]})
;=> true

(= [1 2] '(1 2))
;=> true

(= {:a 1} {"a" 1})
;=> false

(get {[1 {:a 2}] :found} [1 {:a 2}])
;=> :found

(count #{[1] (list 1)})
;=> error type

(set/union #{1} #{2})
;=> #{1 2}

(set/difference #{1 2 3} #{2} #{3})
;=> #{1}

(set/subset? #{1} #{1 2})
;=> true

(set/rename-keys {:a 1} {:a :b})
;=> {:b 1}

(set/join #{{:a 1 :b 2}} #{{:a 1 :c 3}})
;=> #{{:a 1 :b 2 :c 3}}

(set/index #{{:a 1 :b 2} {:a 1 :b 3}} [:a])
;=> {{:a 1} #{{:a 1 :b 2} {:a 1 :b 3}}}

(walk/postwalk #(if (number? %) (inc %) %) {:a [1 {:b 2}]})
;=> {:a [2 {:b 3}]}

(walk/prewalk-replace {:a :x} [:a [:a]])
;=> [:x [:x]]

(walk/keywordize-keys [{"a" {"b" 1}}])
;=> [{:a {:b 1}}]

(sum [1 nil 2])
;=> 3

(avg [])
;=> nil

(median [3 1 2 4])
;=> 2.5

(sum-by :n [{:n 1} {:n nil} {}])
;=> 1

(avg-by :n [{:n 1} {:n 2}])
;=> 1.5

(max-by :n [{:n 1} {} {:n 3}])
;=> {:n 3}

(where {:ok true} [{:ok true :n 1} {:ok false}])
;=> [{:n 1 :ok true}]

(all-of pos? [1 2])
;=> true

(none-of {:ok false} [{:ok true}])
;=> true

(pluck :n [{:n 1} {}])
;=> [1 nil]

(distinct-by :n [{:n 1 :i 1} {:n 1 :i 2}])
;=> [{:i 1 :n 1}]

(count-by odd? [1 2 3])
;=> 2

(zip [1 2] [:a :b])
;=> [[1 :a] [2 :b]]

(combinations [1 2 3] 2)
;=> [[1 2] [1 3] [2 3]]

((juxt :a :b) {:a 1 :b 2})
;=> [1 2]

((comp inc :n) {:n 1})
;=> 2

((fnil + 0) nil 5)
;=> 5

((every-pred pos? even?) 2 3)
;=> false

((some-fn :a :b) {:b 1})
;=> 1

(trampoline (fn [] (fn [] 7)))
;=> 7
