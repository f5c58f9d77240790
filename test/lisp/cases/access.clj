;; Reading data: get, keys in either spelling, paths, what is not there.

(get {:a 1} :a)
;=> 1

(get {:a nil} :a 5)
;=> nil

(get {:a 1} :b 5)
;=> 5

(get [1 2 3] 1)
;=> 2

(get "abc" 1)
;=> "b"

(get nil :a)
;=> nil

(get #{1 2} 1)
;=> 1

({:a 1} :a)
;=> 1

([10 20] 1)
;=> 20

([10 20] 2)
;=> error type

(#{1 2} 3)
;=> nil

('a {'a 1})
;=> 1

(get-in {:a [{:b 1}]} [:a 0 :b])
;=> 1

(get-in {:a {:b nil}} [:a :b] :none)
;=> nil

(get-in {} [:a :b] :none)
;=> :none

(find {:a nil} :a)
;=> [:a nil]

(contains? {:a nil} :a)
;=> true

(contains? [1 2] 2)
;=> false

(contains? "abc" 1)
;=> true

;; A key is found in either spelling, the exact one first.

(:a {"a" 1})
;=> 1

(get {:a 1} "a")
;=> 1

(get {:a 1 "a" 2} "a")
;=> 2

(:turn-summaries {"turn_summaries" 1})
;=> 1

(:foo_bar {"foo-bar" 1})
;=> nil

(contains? {"a" 1} :a)
;=> true

(let [{:keys [a b-c]} {"a" 1 "b_c" 2}] [a b-c])
;=> [1 2]

(select-keys {"a" 1 "b" 2} [:a])
;=> {:a 1}

;; Writes go where reads look.

(assoc {"a" 1} :a 2 :b 3)
;=> {"a" 2 :b 3}

(update {"n" 1} :n inc)
;=> {"n" 2}

(update-in {"a" {"b" 1}} [:a :b] inc)
;=> {"a" {"b" 2}}

(dissoc {"a" 1 "b" 2} :a)
;=> {"b" 2}

;; nil stands for an empty collection.

(first nil)
;=> nil

(rest nil)
;=> []

(count nil)
;=> 0

(conj nil 1)
;=> [1]

(assoc nil :a 1)
;=> {:a 1}

(keys nil)
;=> nil

(nth nil 3)
;=> nil

(first 5)
;=> error type

(count 5)
;=> error type

(nth [1 2] 2)
;=> error type

(nth [1 2] 2 :none)
;=> :none
