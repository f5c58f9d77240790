;; Special forms: binding, choosing, looping, threading.

(let [a 1 a (inc a)] a)
;=> 2

(let [[a [b & c] :as all] [1 [2 3 4]]] [a b c all])
;=> [1 2 [3 4] [1 [2 3 4]]]

(let [{:keys [a] :strs [b] :or {a 9} :as m} {"b" 2}] [a b m])
;=> [9 2 {"b" 2}]

(let [{:x/keys [y] {z :z} :in} {:x/y 1 :in {:z 2}}] [y z])
;=> [1 2]

(let [[k v] (first {:a 1})] [v k])
;=> [1 :a]

(let [[a b] "xy"] [b a])
;=> ["y" "x"]

(let [[a & {:keys [b]}] [1 :b 2]] [a b])
;=> [1 2]

(let [[a] {:x 1}] a)
;=> error type

(let [a] 1)
;=> error parse

(if nil 1)
;=> nil

(if 0 :yes :no)
;=> :yes

(when-not false 1 2)
;=> 2

(cond false 1 :else 2)
;=> 2

(cond 1)
;=> error parse

(case 'b (a b) :letter :other)
;=> :letter

(case [1 2] [1 2] :pair :other)
;=> :pair

(case 9 1 :one)
;=> error type

(condp = 2 1 :one 2 :two)
;=> :two

(condp some [1 2] #{3} :three #{2} :>> inc)
;=> 3

(if-let [[a b] [1 2]] (+ a b) :none)
;=> 3

(if-let [x false] x :none)
;=> :none

(when-some [x false] [x])
;=> [false]

(when-first [x [nil 1]] [x])
;=> [nil]

(and)
;=> true

(and 1 nil 2)
;=> nil

(or nil false)
;=> false

(do)
;=> nil

((fn ([a] [:one a]) ([a & more] [:more a more])) 1 2 3)
;=> [:more 1 [2 3]]

((fn f [n] (if (zero? n) :done (f (dec n)))) 5)
;=> :done

(#(vector % %2 %&) 1 2 3 4)
;=> [1 2 [3 4]]

(map (fn [f] (f)) (for [i (range 3)] (fn [] i)))
;=> [0 1 2]

(defn f [& {:keys [a b] :or {b 2}}] [a b]) (f :a 1)
;=> [1 2]

(defn f [x] (g x)) (defn g [x] x) (f 1)
;=> error unbound

(declare g) (defn f [x] (g x)) (defn g [x] [x]) (f 1)
;=> [1]

(def x 1) (def x (inc x)) x
;=> 2

(letfn [(ev? [n] (or (= n 0) (od? (dec n)))) (od? [n] (and (not= n 0) (ev? (dec n))))] (ev? 10))
;=> true

(loop [i 0 acc []] (if (< i 3) (recur (inc i) (conj acc (fn [] i))) (map #(%) acc)))
;=> [0 1 2]

(loop [[x & more] [1 2 3] sum 0] (if x (recur more (+ sum x)) sum))
;=> 6

(loop [x 0] (+ 1 (recur x)))
;=> error parse

(for [x [1 2 3] :let [y (* x x)] :while (< y 9) z [x y]] z)
;=> [1 1 2 4]

(for [x [1 2 3] :when (odd? x)] x)
;=> [1 3]

(doseq [x [1 2]] x)
;=> nil

(-> {:a {:b 1}} :a :b inc)
;=> 2

(->> [1 2 3] (map inc) (reduce +))
;=> 9

(as-> [1 2] x (map inc x) (reduce + x))
;=> 5

(cond-> {:a 1} true (assoc :b 2) false (assoc :c 3))
;=> {:a 1 :b 2}

(some-> {:a nil} :a inc)
;=> nil

(some->> [1 2] (map inc) first)
;=> 2

'(a [b :c] "d")
;=> [a [b :c] "d"]

[1 #_2 3]
;=> [1 3]

(comment whatever)
;=> nil

(fail "too few rows")
;=> error fail

;; Locals and definitions hide builtins and special forms that are not fixed.

(let [count 1] count)
;=> 1

(defn f [cond] (cond 1)) (f inc)
;=> 2

(let [if 1] (if true :a :b))
;=> :a

;; Found before anything runs.

(if true 1 lenght)
;=> error unbound

(fn [x] (inc x x))
;=> error arity

(when)
;=> error arity

{:a 1 :a 2}
;=> error parse

#{1 1}
;=> error parse

(1 2)
;=> error type
