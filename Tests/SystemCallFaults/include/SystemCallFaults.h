/// Lets the calling thread's reads, writes and changes of size be interrupted or end early at random, from a seed;
/// 0 ends that.
void disturb_system_calls(unsigned long seed);

/// How often the calling thread's calls were interrupted or cut short; 0 always where they cannot be.
unsigned long disturbed_system_calls(void);
