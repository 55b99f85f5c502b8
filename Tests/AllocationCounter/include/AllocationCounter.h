/// How often the calling thread has asked for memory so far; 0 always where that cannot be counted.
unsigned long allocation_count(void);
